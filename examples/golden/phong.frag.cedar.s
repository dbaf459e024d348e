00 ALU: KCACHE0(CB0:0-15)
      0 x: INTERP_XY T0.x, R0.y, PARAM0.x VEC_210
        y: INTERP_XY T0.y, R0.x, PARAM0.x VEC_210
        z: INTERP_XY ____, R0.y, PARAM0.x VEC_210
        w: INTERP_XY ____, R0.x, PARAM0.x VEC_210
      1 x: INTERP_ZW ____, R0.y, PARAM0.x VEC_210
        y: INTERP_ZW ____, R0.x, PARAM0.x VEC_210
        z: INTERP_ZW T0.z, R0.y, PARAM0.x VEC_210
        w: INTERP_ZW ____, R0.x, PARAM0.x VEC_210
        t: ADD T0.w, -T0.x, KC0[0].x SCL_122
      2 x: INTERP_XY T1.x, R0.y, PARAM1.x VEC_210
        y: INTERP_XY T1.y, R0.x, PARAM1.x VEC_210
        z: INTERP_XY ____, R0.y, PARAM1.x VEC_210
        w: INTERP_XY ____, R0.x, PARAM1.x VEC_210
        t: ADD T1.z, -T0.y, KC0[0].y SCL_122
      3 x: INTERP_ZW ____, R0.y, PARAM1.x VEC_210
        y: INTERP_ZW ____, R0.x, PARAM1.x VEC_210
        z: INTERP_ZW T2.z, R0.y, PARAM1.x VEC_210
        w: INTERP_ZW ____, R0.x, PARAM1.x VEC_210
        t: ADD T2.x, -T0.z, KC0[0].z
      4 x: DOT4_IEEE ____, T1.x, T1.x
        y: DOT4_IEEE ____, T1.y, T1.y
        z: DOT4_IEEE ____, T2.z, T2.z
        w: DOT4_IEEE ____, 0, 0
        t: ADD T1.w, -T0.x, KC0[1].x
      5 x: DOT4_IEEE ____, T0.w, T0.w
        y: DOT4_IEEE ____, T1.z, T1.z
        z: DOT4_IEEE ____, T2.x, T2.x
        w: DOT4_IEEE ____, 0, 0
        t: RECIPSQRT_IEEE ____, PV.x
      6 x: MUL_IEEE T0.x, T1.y, PS
        y: MUL_IEEE T1.y, T1.x, PS
        z: MUL_IEEE T2.z, T2.z, PS
        t: RECIPSQRT_IEEE ____, PV.x DST(R0.w)
      7 x: ADD T1.x, -T0.y, KC0[1].y
        y: MUL_IEEE T0.y, T0.w, PS
        z: MUL_IEEE T0.z, T2.x, PS
        w: MUL_IEEE T0.w, T1.z, PS
        t: ADD T2.y, -T0.z, KC0[1].z
      8 x: DOT4_IEEE ____, T1.y, PV.y
        y: DOT4_IEEE ____, T0.x, PV.w
        z: DOT4_IEEE T1.z, T2.z, PV.z
        w: DOT4_IEEE ____, 0, 0
      9 x: DOT4_IEEE ____, T1.w, T1.w
        y: DOT4_IEEE ____, T1.x, T1.x
        z: DOT4_IEEE ____, T2.y, T2.y
        w: DOT4_IEEE ____, 0, 0
        t: MUL_IEEE ____, PV.x, 2.0
     10 x: MULADD_IEEE T0.x, T2.z, PS, -T0.z
        y: MULADD_IEEE T0.y, T0.x, PS, -T0.w
        z: MAX_DX10 T0.z, T1.z, 0 VEC_120
        w: MULADD_IEEE T0.w, T1.y, PS, -T0.y
        t: RECIPSQRT_IEEE ____, PV.x DST(R0.z)
     11 x: MUL_IEEE ____, T2.y, PS
        y: MUL_IEEE ____, T1.x, PS
        w: MUL_IEEE ____, T1.w, PS
     12 x: DOT4_IEEE ____, T0.w, PV.w
        y: DOT4_IEEE ____, T0.y, PV.y
        z: DOT4_IEEE ____, T0.x, PV.x
        w: DOT4_IEEE ____, 0, 0
     13 w: MAX_DX10 ____, PV.x, 0
     14 t: LOG_IEEE ____, PV.w DST(R0.y)
     15 w: MUL ____, PS, KC0[5].x
     16 t: EXP_IEEE ____, PV.w
     17 x: MUL_IEEE ____, PS, KC0[4].z
        y: MUL_IEEE ____, PS, KC0[4].x
        w: MUL_IEEE ____, PS, KC0[4].y
     18 x: CNDGT T0.x, T1.z, PV.x, 0
        y: CNDGT T0.y, T1.z, PV.y, 0
        w: CNDGT T0.w, T1.z, PV.w, 0
     19 x: DOT4_IEEE ____, KC0[2].x, 1.0 CLAMP
        y: DOT4_IEEE ____, T0.z, KC0[3].x CLAMP
        z: DOT4_IEEE R0.z, PV.y, 1.0 CLAMP
        w: DOT4_IEEE ____, 0, 0 CLAMP
     20 x: DOT4_IEEE ____, KC0[2].y, 1.0 CLAMP
        y: DOT4_IEEE R0.y, T0.z, KC0[3].y CLAMP
        z: DOT4_IEEE ____, T0.w, 1.0 CLAMP
        w: DOT4_IEEE ____, 0, 0 CLAMP
     21 x: DOT4_IEEE ____, KC0[2].z, 1.0 CLAMP
        y: DOT4_IEEE ____, T0.z, KC0[3].z CLAMP
        z: DOT4_IEEE ____, T0.x, 1.0 CLAMP
        w: DOT4_IEEE R0.w, 0, 0 CLAMP
01 EXP_DONE: PIX0, R0.zyw1
END_OF_PROGRAM
