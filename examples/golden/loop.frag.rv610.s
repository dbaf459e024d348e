00 ALU: KCACHE0(CB0:0-15)
      0 x: MOV R0.x, 0
        y: MOV R0.y, R0.y
        z: MOV R0.z, R0.x
        w: MOV R0.w, 0
        t: FLT_TO_INT R2.z, KC0[0].z
      1 x: MOV R2.x, 0
        y: MOV R2.y, 0
        w: MOV R2.w, 0
01 LOOP_START_DX10 L10
L2:
02 ALU_PUSH_BEFORE:
      2 x: PRED_SETGE_INT ____, R0.x, R2.z UPDATE_EXEC_MASK UPDATE_PRED
03 JUMP L7 POP_CNT(1)
04 ALU:
      3 x: MOV R0.x, R2.x
        y: MOV R0.y, R2.y
        z: MOV R0.z, R0.w
        w: MOV R0.w, R2.w VEC_120
05 LOOP_BREAK L9
06 POP L7 POP_CNT(1)
L7:
07 TEX:
      4 SAMPLE R1.xyzw, R0.zy__, t18, s0
08 ALU: KCACHE0(CB0:0-15)
      5 x: ADD R2.x, R2.x, R1.z
        y: ADD R2.y, R2.y, R1.y
        z: ADD R0.z, R0.z, KC0[0].x
        w: ADD R0.w, R0.w, R1.x
        t: ADD R2.w, R2.w, R1.w
      6 x: ADD_INT R0.x, R0.x, 1
        y: ADD R0.y, R0.y, KC0[0].y
L9:
09 LOOP_END L2
L10:
10 ALU: KCACHE0(CB0:0-15)
      7 x: MUL_IEEE R0.x, R0.x, KC0[1].x
        y: MUL_IEEE R0.y, R0.w, KC0[1].x
        z: MUL_IEEE R0.z, R0.z, KC0[1].x
        w: MUL_IEEE R0.w, R0.y, KC0[1].x
11 EXP_DONE: PIX0, R0.zwxy
END_OF_PROGRAM
