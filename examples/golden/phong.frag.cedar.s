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
        t: RECIPSQRT_IEEE ____, PV.x DST(R0.w)
      6 x: MUL_IEEE T0.x, T1.y, PS
        y: MUL_IEEE T1.y, T1.x, PS
        z: MUL_IEEE T2.z, T2.z, PS
        t: RECIPSQRT_IEEE ____, PV.x
      7 x: MUL_IEEE T1.x, T2.x, PS
        y: ADD T0.y, -T0.y, KC0[1].y
        z: MUL_IEEE T0.z, T1.z, PS
        w: MUL_IEEE T0.w, T0.w, PS
        t: ADD T1.z, -T0.z, KC0[1].z
      8 x: DOT4_IEEE ____, T1.y, PV.w
        y: DOT4_IEEE ____, T0.x, PV.z
        z: DOT4_IEEE ____, T2.z, PV.x
        w: DOT4_IEEE T2.w, 0, 0
      9 x: DOT4_IEEE ____, T1.w, T1.w
        y: DOT4_IEEE ____, T0.y, T0.y
        z: DOT4_IEEE ____, T1.z, T1.z
        w: DOT4_IEEE ____, 0, 0
        t: MUL_IEEE ____, PV.x, 2.0
     10 x: MULADD_IEEE T0.x, T2.z, PS, -T1.x
        y: MAX_DX10 T1.y, T2.w, 0
        z: MULADD_IEEE T0.z, T0.x, PS, -T0.z
        w: MULADD_IEEE T0.w, T1.y, PS, -T0.w
        t: RECIPSQRT_IEEE ____, PV.x DST(R0.y)
     11 x: MUL_IEEE ____, T1.w, PS
        y: MUL_IEEE ____, T1.z, PS
        z: MUL_IEEE ____, T0.y, PS
     12 x: DOT4_IEEE ____, T0.w, PV.x
        y: DOT4_IEEE ____, T0.z, PV.z
        z: DOT4_IEEE ____, T0.x, PV.y
        w: DOT4_IEEE ____, 0, 0
     13 z: MAX_DX10 ____, PV.x, 0
     14 t: LOG_IEEE ____, PV.z
     15 z: MUL ____, PS, KC0[5].x
     16 t: EXP_IEEE ____, PV.z
     17 x: MUL_IEEE ____, PS, KC0[4].z
        z: MUL_IEEE ____, PS, KC0[4].x
        w: MUL_IEEE ____, PS, KC0[4].y
     18 x: CNDGT T0.x, T2.w, PV.x, 0
        z: CNDGT T0.z, T2.w, PV.z, 0
        w: CNDGT T0.w, T2.w, PV.w, 0
     19 x: DOT4_IEEE ____, KC0[2].x, 1.0 CLAMP
        y: DOT4_IEEE ____, T1.y, KC0[3].x CLAMP
        z: DOT4_IEEE R0.z, PV.z, 1.0 CLAMP
        w: DOT4_IEEE ____, 0, 0 CLAMP
     20 x: DOT4_IEEE ____, KC0[2].y, 1.0 CLAMP
        y: DOT4_IEEE ____, T1.y, KC0[3].y CLAMP
        z: DOT4_IEEE ____, T0.w, 1.0 CLAMP
        w: DOT4_IEEE R0.w, 0, 0 CLAMP
     21 x: DOT4_IEEE ____, KC0[2].z, 1.0 CLAMP
        y: DOT4_IEEE R0.y, T1.y, KC0[3].z CLAMP
        z: DOT4_IEEE ____, T0.x, 1.0 CLAMP
        w: DOT4_IEEE ____, 0, 0 CLAMP
01 EXP_DONE: PIX0, R0.zwy1
END_OF_PROGRAM
