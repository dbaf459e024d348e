00 ALU: KCACHE0(CB0:0-15)
      0 x: INTERP_XY R0.x, R0.y, PARAM0.x VEC_210
        y: INTERP_XY R0.y, R0.x, PARAM0.x VEC_210
        z: INTERP_XY ____, R0.y, PARAM0.x VEC_210
        w: INTERP_XY ____, R0.x, PARAM0.x VEC_210
      1 x: MOV R2.x, 0
        y: MOV R2.y, 0
        z: FLT_TO_INT R0.z, KC0[0].z
        w: MOV R0.w, 0
      2 z: MOV R2.z, 0
        w: MOV R2.w, 0
01 LOOP_START_DX10 L10
L2:
02 ALU_PUSH_BEFORE:
      3 x: PRED_SETGE_INT ____, R2.x, R0.z UPDATE_EXEC_MASK UPDATE_PRED
03 JUMP L7 POP_CNT(1)
04 ALU:
      4 x: MOV R0.x, R2.z
        y: MOV R0.y, R2.w
        z: MOV R0.z, R0.w VEC_120
        w: MOV R0.w, R2.y
05 LOOP_BREAK L9
06 POP L7 POP_CNT(1)
L7:
07 TEX:
      5 SAMPLE R1.xyzw, R0.xy__, t18, s0
08 ALU: KCACHE0(CB0:0-15)
      6 x: ADD R0.x, R0.x, KC0[0].x
        y: ADD R2.y, R2.y, R1.w
        z: ADD R2.z, R2.z, R1.z
        w: ADD R0.w, R0.w, R1.x
      7 x: ADD_INT R2.x, R2.x, 1
        y: ADD R0.y, R0.y, KC0[0].y
        w: ADD R2.w, R2.w, R1.y
L9:
09 LOOP_END L2
L10:
10 ALU: KCACHE0(CB0:0-15)
      8 x: MUL_IEEE R0.x, R0.x, KC0[1].x
        y: MUL_IEEE R0.y, R0.w, KC0[1].x
        z: MUL_IEEE R0.z, R0.z, KC0[1].x
        w: MUL_IEEE R0.w, R0.y, KC0[1].x
11 EXP_DONE: PIX0, R0.zwxy
12 CF_END
