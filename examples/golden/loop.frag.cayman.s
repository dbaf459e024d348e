00 ALU_PUSH_BEFORE: KCACHE0(CB0:0-15)
      0 z: FLT_TO_INT R0.z, KC0[0].z
      1 x: INTERP_XY R0.x, R0.y, PARAM0.x VEC_210
        y: INTERP_XY R0.y, R0.x, PARAM0.x VEC_210
        z: INTERP_XY ____, R0.y, PARAM0.x VEC_210
        w: INTERP_XY ____, R0.x, PARAM0.x VEC_210
      2 x: PRED_SETGE_INT ____, 0, R0.z UPDATE_EXEC_MASK UPDATE_PRED
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
        z: MOV R2.z, 0
        w: MOV R0.w, 0
      5 w: MOV R2.w, 0
05 LOOP_START_DX10 L13
L6:
06 TEX:
      6 SAMPLE R1.xyzw, R0.xy__, t18, s0
07 ALU_PUSH_BEFORE: KCACHE0(CB0:0-15)
      7 x: ADD R2.x, R2.x, R1.w
        y: ADD R2.y, R2.y, R1.z
        z: ADD_INT R2.z, R2.z, 1
        w: ADD R0.w, R0.w, R1.x
      8 x: ADD R0.x, R0.x, KC0[0].x
        y: ADD R0.y, R0.y, KC0[0].y
        z: PRED_SETGE_INT ____, PV.z, R0.z UPDATE_EXEC_MASK UPDATE_PRED
        w: ADD R2.w, R2.w, R1.y
08 JUMP L12 POP_CNT(1)
09 ALU:
      9 x: MOV R0.x, R2.y
        y: MOV R0.y, R2.w
        z: MOV R0.z, R2.x
        w: MOV R0.w, R0.w VEC_120
10 LOOP_BREAK L12
11 POP L12 POP_CNT(1)
L12:
12 LOOP_END L6
L13:
13 POP L14 POP_CNT(1)
L14:
14 ALU: KCACHE0(CB0:0-15)
     10 x: MUL_IEEE R0.x, R0.x, KC0[1].x
        y: MUL_IEEE R0.y, R0.z, KC0[1].x
        z: MUL_IEEE R0.z, R0.w, KC0[1].x
        w: MUL_IEEE R0.w, R0.y, KC0[1].x
15 EXP_DONE: PIX0, R0.zwxy
16 CF_END
