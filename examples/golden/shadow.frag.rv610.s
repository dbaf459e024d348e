00 ALU: KCACHE0(CB0:0-15)
      0 y: MOV R2.y, R1.w
        t: RECIP_IEEE ____, R0.w
      1 x: MUL_IEEE ____, PS, R0.y
        z: MUL_IEEE ____, PS, R0.z
        w: MUL_IEEE ____, PS, R0.x
      2 y: MULADD_IEEE T0.y, PV.z, 0.5, 0.5
        z: MULADD_IEEE R0.z, PV.w, 0.5, 0.5
        w: MULADD_IEEE R0.w, PV.x, 0.5, 0.5
      3 x: ADD R0.x, PV.y, -KC0[0].x
01 TEX:
      4 SAMPLE_C R0.x___, R0.zw_x, t18, s0
02 ALU: KCACHE0(CB0:0-15)
      5 y: ADD ____, R0.x, -1.0
      6 z: MULADD_IEEE T0.z, PV.y, KC0[0].y, 1.0
      7 x: MUL_IEEE R2.x, PV.z, R1.z
        z: MUL_IEEE R2.z, PV.z, R1.y
        w: MUL_IEEE R2.w, PV.z, R1.x
03 EXP_DONE: PIX0, R2.wzxy
END_OF_PROGRAM
