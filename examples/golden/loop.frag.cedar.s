00 ALU_PUSH_BEFORE: KCACHE0(CB0:0-15)
      0 x: INTERP_XY R0.x, R0.y, PARAM0.x VEC_210
        y: INTERP_XY R0.y, R0.x, PARAM0.x VEC_210
        z: INTERP_XY ____, R0.y, PARAM0.x VEC_210
        w: INTERP_XY ____, R0.x, PARAM0.x VEC_210
        t: TRUNC ____, KC0[0].z DST(R0.z)
      1 w: FLT_TO_INT R0.w, PS
      2 x: PRED_SETGE_INT ____, 0, PV.w UPDATE_EXEC_MASK UPDATE_PRED
01 JUMP L3
02 ALU:
      3 x: MOV R0.x, 0
        y: MOV R0.y, 0
        z: MOV R0.z, 0
        w: MOV R0.w, 0
L3:
03 ELSE L14 POP_CNT(1)
04 ALU:
      4 x: MOV R2.x, 0
        y: MOV R2.y, 0
        z: MOV R0.z, 0
        w: MOV R2.w, 0
        t: MOV R2.z, 0
05 LOOP_START_DX10 L13
L6:
06 TEX:
      5 SAMPLE R1.xyzw, R0.xy__, t18, s0
07 ALU_PUSH_BEFORE: KCACHE0(CB0:0-15)
      6 x: ADD R2.x, R2.x, R1.w
        y: ADD R2.y, R2.y, R1.z
        z: ADD R0.z, R0.z, R1.x
        w: ADD_INT R2.w, R2.w, 1
        t: ADD R2.z, R2.z, R1.y
      7 x: ADD R0.x, R0.x, KC0[0].x
        y: ADD R0.y, R0.y, KC0[0].y
        z: PRED_SETGE_INT ____, PV.w, R0.w UPDATE_EXEC_MASK UPDATE_PRED
08 JUMP L12 POP_CNT(1)
09 ALU:
      8 x: MOV R0.x, R2.y
        y: MOV R0.y, R2.z
        z: MOV R0.z, R0.z VEC_120
        w: MOV R0.w, R2.x
10 LOOP_BREAK L12
11 POP L12 POP_CNT(1)
L12:
12 LOOP_END L6
L13:
13 POP L14 POP_CNT(1)
L14:
14 ALU: KCACHE0(CB0:0-15)
      9 x: MUL_IEEE R0.x, R0.y, KC0[1].x
        y: MUL_IEEE R0.y, R0.x, KC0[1].x
        z: MUL_IEEE R0.z, R0.w, KC0[1].x
        w: MUL_IEEE R0.w, R0.z, KC0[1].x
15 EXP_DONE: PIX0, R0.wxyz
END_OF_PROGRAM
