00 ALU: KCACHE0(CB0:0-15)
      0 x: INTERP_ZW ____, R0.y, PARAM0.x VEC_210
        y: INTERP_ZW ____, R0.x, PARAM0.x VEC_210
        z: INTERP_ZW T0.z, R0.y, PARAM0.x VEC_210
        w: INTERP_ZW T0.w, R0.x, PARAM0.x VEC_210
      1 x: RECIP_IEEE ____, T0.w
        y: RECIP_IEEE ____, T0.w
        z: RECIP_IEEE T1.z, T0.w
      2 x: INTERP_XY T0.x, R0.y, PARAM0.x VEC_210
        y: INTERP_XY T0.y, R0.x, PARAM0.x VEC_210
        z: INTERP_XY ____, R0.y, PARAM0.x VEC_210
        w: INTERP_XY ____, R0.x, PARAM0.x VEC_210
      3 x: MUL_IEEE ____, T1.z, T0.x
        z: MUL_IEEE ____, T1.z, T0.y
        w: MUL_IEEE ____, T0.z, T1.z VEC_120
      4 y: MULADD_IEEE R1.y, PV.x, 0.5, 0.5
        z: MULADD_IEEE R1.z, PV.z, 0.5, 0.5
        w: MULADD_IEEE T0.w, PV.w, 0.5, 0.5
      5 w: ADD R1.w, PV.w, -KC0[0].x
01 TEX:
      6 SAMPLE_C R0.__x_, R1.yz_w, t18, s0
02 ALU: KCACHE0(CB0:0-15)
      7 w: ADD T0.w, R0.z, -1.0
      8 x: INTERP_XY T0.x, R0.y, PARAM1.x VEC_210
        y: INTERP_XY T0.y, R0.x, PARAM1.x VEC_210
        z: INTERP_XY ____, R0.y, PARAM1.x VEC_210
        w: INTERP_XY ____, R0.x, PARAM1.x VEC_210
      9 x: INTERP_ZW ____, R0.y, PARAM1.x VEC_210
        y: INTERP_ZW ____, R0.x, PARAM1.x VEC_210
        z: INTERP_ZW T0.z, R0.y, PARAM1.x VEC_210
        w: INTERP_ZW R0.w, R0.x, PARAM1.x VEC_210
     10 x: MULADD_IEEE T1.x, T0.w, KC0[0].y, 1.0
     11 x: MUL_IEEE R0.x, PV.x, T0.y
        y: MUL_IEEE R0.y, PV.x, T0.x
        z: MUL_IEEE R0.z, PV.x, T0.z
03 EXP_DONE: PIX0, R0.yxzw
04 CF_END
