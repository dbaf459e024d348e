00 ALU: KCACHE0(CB0:0-15)
      0 w: MOV R0.w, R1.w
        t: RECIP_IEEE ____, R0.w DST(R0.w)
      1 x: MUL_IEEE ____, PS, R0.x
        y: MUL_IEEE ____, PS, R0.y
        z: MUL_IEEE ____, PS, R0.z
      2 x: MULADD_IEEE R0.x, PV.x, 0.5, 0.5
        y: MULADD_IEEE R0.y, PV.y, 0.5, 0.5
        z: MULADD_IEEE T0.z, PV.z, 0.5, 0.5
      3 z: ADD R0.z, PV.z, -KC0[0].x
01 TEX:
      4 SAMPLE_C R0.x___, R0.xy_z, t18, s0
02 ALU: KCACHE0(CB0:0-15)
      5 y: ADD ____, R0.x, -1.0
      6 w: MULADD_IEEE T0.w, PV.y, KC0[0].y, 1.0
      7 x: MUL_IEEE R0.x, PV.w, R1.x
        y: MUL_IEEE R0.y, PV.w, R1.y
        z: MUL_IEEE R0.z, PV.w, R1.z
03 EXP_DONE: PIX0, R0.xyzw
END_OF_PROGRAM
