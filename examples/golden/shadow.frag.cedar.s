00 ALU: KCACHE0(CB0:0-15)
      0 x: INTERP_ZW ____, R0.y, PARAM0.x VEC_210
        y: INTERP_ZW ____, R0.x, PARAM0.x VEC_210
        z: INTERP_ZW T0.z, R0.y, PARAM0.x VEC_210
        w: INTERP_ZW T0.w, R0.x, PARAM0.x VEC_210
      1 x: INTERP_XY T0.x, R0.y, PARAM0.x VEC_210
        y: INTERP_XY T0.y, R0.x, PARAM0.x VEC_210
        z: INTERP_XY ____, R0.y, PARAM0.x VEC_210
        w: INTERP_XY ____, R0.x, PARAM0.x VEC_210
        t: RECIP_IEEE ____, T0.w DST(R0.w)
      2 x: MUL_IEEE ____, PS, T0.x
        z: MUL_IEEE ____, T0.z, PS
        w: MUL_IEEE ____, PS, T0.y
      3 y: MULADD_IEEE R1.y, PV.x, 0.5, 0.5
        z: MULADD_IEEE T0.z, PV.z, 0.5, 0.5
        w: MULADD_IEEE R1.w, PV.w, 0.5, 0.5
      4 z: ADD R1.z, PV.z, -KC0[0].x
01 TEX:
      5 SAMPLE_C R0.__x_, R1.yw_z, t18, s0
02 ALU: KCACHE0(CB0:0-15)
      6 x: INTERP_XY T0.x, R0.y, PARAM1.x VEC_210
        y: INTERP_XY T0.y, R0.x, PARAM1.x VEC_210
        z: INTERP_XY ____, R0.y, PARAM1.x VEC_210
        w: INTERP_XY ____, R0.x, PARAM1.x VEC_210
        t: ADD ____, R0.z, -1.0 DST(R0.w)
      7 x: INTERP_ZW ____, R0.y, PARAM1.x VEC_210
        y: INTERP_ZW ____, R0.x, PARAM1.x VEC_210
        z: INTERP_ZW T0.z, R0.y, PARAM1.x VEC_210
        w: INTERP_ZW R0.w, R0.x, PARAM1.x VEC_210
        t: MULADD_IEEE T1.x, PS, KC0[0].y, 1.0
      8 x: MUL_IEEE R0.x, PS, T0.y
        y: MUL_IEEE R0.y, PS, T0.x
        z: MUL_IEEE R0.z, PS, T0.z
03 EXP_DONE: PIX0, R0.yxzw
END_OF_PROGRAM
