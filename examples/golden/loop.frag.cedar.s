00 ALU: KCACHE0(CB0:0-15)
      0 x: MOV R2.x, 0
        y: MOV R2.y, 0
        z: TRUNC T0.z, KC0[0].z
        w: MOV R0.w, 0
        t: MOV R0.z, 0
      1 x: INTERP_XY R0.x, R0.y, PARAM0.x VEC_210
        y: INTERP_XY R0.y, R0.x, PARAM0.x VEC_210
        z: INTERP_XY ____, R0.y, PARAM0.x VEC_210
        w: INTERP_XY ____, R0.x, PARAM0.x VEC_210
        t: MOV R2.w, 0
      2 z: FLT_TO_INT R2.z, T0.z
01 LOOP_START_DX10 L11
L2:
02 PUSH L3
L3:
03 ALU:
      3 x: PRED_SETGE_INT ____, R2.x, R2.z UPDATE_EXEC_MASK UPDATE_PRED
04 JUMP L8 POP_CNT(1)
05 ALU:
      4 x: MOV R0.x, R2.y
        y: MOV R0.y, R0.z
        z: MOV R0.z, R2.w
        w: MOV R0.w, R0.w VEC_120
06 LOOP_BREAK L10
07 POP L8 POP_CNT(1)
L8:
08 TEX:
      5 SAMPLE R1.xyzw, R0.xy__, t18, s0
09 ALU: KCACHE0(CB0:0-15)
      6 x: ADD R0.x, R0.x, KC0[0].x
        y: ADD R2.y, R2.y, R1.w
        z: ADD R0.z, R0.z, R1.z
        w: ADD R0.w, R0.w, R1.x
        t: ADD R2.w, R2.w, R1.y
      7 x: ADD_INT R2.x, R2.x, 1
        y: ADD R0.y, R0.y, KC0[0].y
L10:
10 LOOP_END L2
L11:
11 ALU: KCACHE0(CB0:0-15)
      8 x: MUL_IEEE R0.x, R0.z, KC0[1].x
        y: MUL_IEEE R0.y, R0.y, KC0[1].x
        z: MUL_IEEE R0.z, R0.x, KC0[1].x
        w: MUL_IEEE R0.w, R0.w, KC0[1].x
12 EXP_DONE: PIX0, R0.wxyz
END_OF_PROGRAM
