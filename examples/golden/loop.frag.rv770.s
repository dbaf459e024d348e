00 ALU_PUSH_BEFORE: KCACHE0(CB0:0-15)
      0 t: FLT_TO_INT R2.z, KC0[0].z
      1 x: PRED_SETGE_INT ____, 0, PS UPDATE_EXEC_MASK UPDATE_PRED
01 JUMP L3
02 ALU:
      2 x: MOV R0.x, 0
        y: MOV R2.y, 0
        z: MOV R3.z, 0
        w: MOV R0.w, 0
L3:
03 ELSE L13 POP_CNT(1)
04 ALU:
      3 x: MOV R2.x, 0
        y: MOV R0.y, R0.y
        z: MOV R0.z, R0.x
        w: MOV R0.w, 0
        t: MOV R0.x, 0
      4 y: MOV R2.y, 0
        z: MOV R3.z, 0
05 LOOP_START_DX10 L12
L6:
06 TEX:
      5 SAMPLE R1.zywx, R0.zy__, t18, s0
07 ALU_PUSH_BEFORE: KCACHE0(CB0:0-15)
      6 x: ADD_INT R2.x, R2.x, 1
        y: ADD R2.y, R2.y, R1.x
        z: ADD R3.z, R3.z, R1.y
        w: ADD R0.w, R0.w, R1.w
        t: ADD R0.x, R0.x, R1.z
      7 x: PRED_SETGE_INT ____, PV.x, R2.z UPDATE_EXEC_MASK UPDATE_PRED
        y: ADD R0.y, R0.y, KC0[0].y
        z: ADD R0.z, R0.z, KC0[0].x
08 JUMP L11 POP_CNT(1)
09 LOOP_BREAK L11
10 POP L11 POP_CNT(1)
L11:
11 LOOP_END L6
L12:
12 POP L13 POP_CNT(1)
L13:
13 ALU: KCACHE0(CB0:0-15)
      8 x: MUL_IEEE R0.x, R3.z, KC0[1].x
        y: MUL_IEEE R0.y, R2.y, KC0[1].x
        z: MUL_IEEE R0.z, R0.x, KC0[1].x
        w: MUL_IEEE R0.w, R0.w, KC0[1].x
14 EXP_DONE: PIX0, R0.wxyz
END_OF_PROGRAM
