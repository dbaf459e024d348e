; $MODE = "UniformRegister"
; $SPI_VS_OUT_CONFIG.VS_EXPORT_COUNT = 0
; $NUM_SPI_VS_OUT_ID = 1
; $SPI_VS_OUT_ID[0].SEMANTIC_0 = 0
; $UNIFORM_VARS[0].name = "scale"
; $UNIFORM_VARS[0].type = "vec4"
; $UNIFORM_VARS[0].block = -1
; $UNIFORM_VARS[0].offset = 0
; $ATTRIB_VARS[0].name = "position"
; $ATTRIB_VARS[0].type = "vec4"
; $ATTRIB_VARS[0].location = 0
; $ATTRIB_VARS[1].name = "corner"
; $ATTRIB_VARS[1].type = "vec2"
; $ATTRIB_VARS[1].location = 1

00 CALL_FS NO_BARRIER
01 ALU: ADDR(32) CNT(4)
    0  x: MUL R1.x, R1.x, C0.x
       y: MUL R1.y, R1.y, C0.y
       z: MUL R1.z, R1.z, C0.z
       w: MUL R1.w, R1.w, C0.w
02 EXP_DONE: POS0, R1
03 EXP_DONE: PARAM0, R2.xy00 NO_BARRIER
END_OF_PROGRAM
