00 ALU: KCACHE0(CB0:0-15)
      0 x: INTERP_XY T0.x, R0.y, PARAM0.x VEC_210
        y: INTERP_XY T0.y, R0.x, PARAM0.x VEC_210
        z: INTERP_XY ____, R0.y, PARAM0.x VEC_210
        w: INTERP_XY ____, R0.x, PARAM0.x VEC_210
      1 z: INTERP_Z T0.z, R0.y, PARAM0.x VEC_210
        w: INTERP_Z ____, R0.x, PARAM0.x VEC_210
        t: ADD T0.w, -T0.x, KC0[0].x SCL_122
      2 x: INTERP_XY T1.x, R0.y, PARAM1.x VEC_210
        y: INTERP_XY T1.y, R0.x, PARAM1.x VEC_210
        z: INTERP_XY ____, R0.y, PARAM1.x VEC_210
        w: INTERP_XY ____, R0.x, PARAM1.x VEC_210
        t: ADD T1.z, -T0.y, KC0[0].y SCL_122
      3 x: ADD T2.x, -T0.z, KC0[0].z VEC_210
        y: ADD T2.y, -T0.z, KC0[1].z VEC_210
        z: INTERP_Z T0.z, R0.y, PARAM1.x VEC_210
        w: INTERP_Z ____, R0.x, PARAM1.x VEC_210
      4 x: DOT4_IEEE ____, T1.x, T1.x
        y: DOT4_IEEE ____, T1.y, T1.y
        z: DOT4_IEEE ____, T0.z, T0.z
        w: DOT4_IEEE ____, 0, 0
        t: ADD T1.w, -T0.x, KC0[1].x
      5 x: DOT4_IEEE ____, T0.w, T0.w
        y: DOT4_IEEE ____, T1.z, T1.z
        z: DOT4_IEEE ____, T2.x, T2.x
        w: DOT4_IEEE ____, 0, 0
        t: RECIPSQRT_IEEE ____, PV.x DST(R0.w)
      6 x: ADD T0.x, -T0.y, KC0[1].y
        y: MUL_IEEE T0.y, T1.y, PS VEC_120
        z: MUL_IEEE T0.z, T1.x, PS
        w: MUL_IEEE T2.w, T0.z, PS
        t: RECIPSQRT_IEEE ____, PV.x
      7 x: MUL_IEEE T1.x, T2.x, PS
        y: MUL_IEEE T1.y, T0.w, PS
        z: MUL_IEEE T1.z, T1.z, PS
      8 x: DOT4_IEEE ____, T0.z, PV.y
        y: DOT4_IEEE ____, T0.y, PV.z
        z: DOT4_IEEE ____, T2.w, PV.x
        w: DOT4_IEEE T0.w, 0, 0
      9 x: DOT4_IEEE ____, T1.w, T1.w
        y: DOT4_IEEE ____, T0.x, T0.x
        z: DOT4_IEEE ____, T2.y, T2.y
        w: DOT4_IEEE ____, 0, 0
        t: MUL_IEEE ____, PV.x, 2.0
     10 x: MULADD_IEEE T1.x, T2.w, PS, -T1.x
        y: MULADD_IEEE T0.y, T0.z, PS, -T1.y
        z: MULADD_IEEE T0.z, T0.y, PS, -T1.z
        w: MAX_DX10 T2.w, T0.w, 0 VEC_120
        t: RECIPSQRT_IEEE ____, PV.x DST(R0.z)
     11 x: MUL_IEEE ____, T0.x, PS
        y: MUL_IEEE ____, T1.w, PS
        z: MUL_IEEE ____, T2.y, PS
     12 x: DOT4_IEEE ____, T0.y, PV.y
        y: DOT4_IEEE ____, T0.z, PV.x
        z: DOT4_IEEE ____, T1.x, PV.z
        w: DOT4_IEEE ____, 0, 0
     13 y: MAX_DX10 ____, PV.x, 0
     14 t: LOG_IEEE ____, PV.y
     15 y: MUL ____, PS, KC0[5].x
     16 t: EXP_IEEE ____, PV.y DST(R0.z)
     17 x: MUL_IEEE ____, PS, KC0[4].x
        y: MUL_IEEE ____, PS, KC0[4].y
        z: MUL_IEEE ____, PS, KC0[4].z
     18 x: CNDGT T0.x, T0.w, PV.x, 0
        y: CNDGT T0.y, T0.w, PV.y, 0
        z: CNDGT T0.z, T0.w, PV.z, 0
     19 x: DOT4_IEEE R0.x, KC0[2].x, 1.0 CLAMP
        y: DOT4_IEEE ____, T2.w, KC0[3].x CLAMP
        z: DOT4_IEEE ____, PV.x, 1.0 CLAMP
        w: DOT4_IEEE ____, 0, 0 CLAMP
     20 x: DOT4_IEEE ____, KC0[2].y, 1.0 CLAMP
        y: DOT4_IEEE R0.y, T2.w, KC0[3].y CLAMP
        z: DOT4_IEEE ____, T0.y, 1.0 CLAMP
        w: DOT4_IEEE ____, 0, 0 CLAMP
     21 x: DOT4_IEEE ____, KC0[2].z, 1.0 CLAMP
        y: DOT4_IEEE ____, T2.w, KC0[3].z CLAMP
        z: DOT4_IEEE ____, T0.z, 1.0 CLAMP
        w: DOT4_IEEE R0.w, 0, 0 CLAMP
01 EXP_DONE: PIX0, R0.xyw1
END_OF_PROGRAM
