00 ALU_PUSH_BEFORE: KCACHE0(CB0:0-15)
      0 z: FLT_TO_INT R0.z, KC0[0].z
      1 x: INTERP_XY R0.x, R0.y, PARAM0.x VEC_210
        y: INTERP_XY R0.y, R0.x, PARAM0.x VEC_210
        z: INTERP_XY ____, R0.y, PARAM0.x VEC_210
        w: INTERP_XY ____, R0.x, PARAM0.x VEC_210
      2 x: PRED_SETGE_INT ____, 0, R0.z UPDATE_EXEC_MASK UPDATE_PRED
01 JUMP L3
02 ALU:
      3 x: MOV R2.x, 0
        y: MOV R2.y, 0
        z: MOV R2.z, 0
        w: MOV R0.w, 0
L3:
03 ELSE L13 POP_CNT(1)
04 ALU:
      4 x: MOV R2.x, 0
        y: MOV R2.y, 0
        z: MOV R3.z, 0
        w: MOV R0.w, 0
      5 z: MOV R2.z, 0
05 LOOP_START_DX10 L12
L6:
06 TEX:
      6 SAMPLE R1.zywx, R0.xy__, t18, s0
07 ALU_PUSH_BEFORE: KCACHE0(CB0:0-15)
      7 x: ADD R2.x, R2.x, R1.x
        y: ADD R2.y, R2.y, R1.y
        z: ADD_INT R3.z, R3.z, 1
        w: ADD R0.w, R0.w, R1.w
      8 x: ADD R0.x, R0.x, KC0[0].x
        y: ADD R0.y, R0.y, KC0[0].y
        z: ADD R2.z, R2.z, R1.z
        w: PRED_SETGE_INT ____, PV.z, R0.z UPDATE_EXEC_MASK UPDATE_PRED VEC_021
08 JUMP L11 POP_CNT(1)
09 LOOP_BREAK L11
10 POP L11 POP_CNT(1)
L11:
11 LOOP_END L6
L12:
12 POP L13 POP_CNT(1)
L13:
13 ALU: KCACHE0(CB0:0-15)
      9 x: MUL_IEEE R0.x, R2.y, KC0[1].x
        y: MUL_IEEE R0.y, R2.x, KC0[1].x
        z: MUL_IEEE R0.z, R2.z, KC0[1].x
        w: MUL_IEEE R0.w, R0.w, KC0[1].x
14 EXP_DONE: PIX0, R0.wxyz
15 CF_END
