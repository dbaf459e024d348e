00 ALU: KCACHE0(CB0:0-15)
      0 w: MOV R0.w, R1.w
        t: RECIP_IEEE ____, R0.w
      1 y: MUL_IEEE ____, PS, R0.y
        z: MUL_IEEE ____, PS, R0.x
        w: MUL_IEEE ____, PS, R0.z
      2 x: MULADD_IEEE T0.x, PV.w, 0.5, 0.5
        z: MULADD_IEEE R2.z, PV.y, 0.5, 0.5
        w: MULADD_IEEE R2.w, PV.z, 0.5, 0.5
      3 y: ADD R2.y, PV.x, -KC0[0].x
01 TEX:
      4 SAMPLE_C R0.x___, R2.wz_y, t18, s0
02 ALU: KCACHE0(CB0:0-15)
      5 y: ADD ____, R0.x, -1.0
      6 z: MULADD_IEEE T0.z, PV.y, KC0[0].y, 1.0
      7 x: MUL_IEEE R0.x, PV.z, R1.x
        y: MUL_IEEE R0.y, PV.z, R1.y
        z: MUL_IEEE R0.z, PV.z, R1.z
03 EXP_DONE: PIX0, R0.xyzw
END_OF_PROGRAM
