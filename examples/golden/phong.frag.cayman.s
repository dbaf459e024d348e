00 ALU: KCACHE0(CB0:0-15)
      0 x: INTERP_XY T0.x, R0.y, PARAM0.x VEC_210
        y: INTERP_XY T0.y, R0.x, PARAM0.x VEC_210
        z: INTERP_XY ____, R0.y, PARAM0.x VEC_210
        w: INTERP_XY ____, R0.x, PARAM0.x VEC_210
      1 x: INTERP_XY T1.x, R0.y, PARAM1.x VEC_210
        y: INTERP_XY T1.y, R0.x, PARAM1.x VEC_210
        z: INTERP_XY ____, R0.y, PARAM1.x VEC_210
        w: INTERP_XY ____, R0.x, PARAM1.x VEC_210
      2 x: ADD T0.x, -T0.y, KC0[0].y
        y: ADD T2.y, -T0.x, KC0[1].x
        z: MUL_IEEE T0.z, T1.x, T1.x VEC_120
        w: ADD T0.w, -T0.x, KC0[0].x
      3 x: INTERP_ZW ____, R0.y, PARAM0.x VEC_210
        y: INTERP_ZW ____, R0.x, PARAM0.x VEC_210
        z: INTERP_ZW T1.z, R0.y, PARAM0.x VEC_210
        w: INTERP_ZW ____, R0.x, PARAM0.x VEC_210
      4 x: ADD T2.x, -T1.z, KC0[0].z
        y: ADD T0.y, -T0.y, KC0[1].y
        z: MULADD_IEEE T0.z, T1.y, T1.y, T0.z VEC_102
        w: MUL_IEEE T1.w, T0.w, T0.w
      5 x: INTERP_ZW ____, R0.y, PARAM1.x VEC_210
        y: INTERP_ZW ____, R0.x, PARAM1.x VEC_210
        z: INTERP_ZW T2.z, R0.y, PARAM1.x VEC_210
        w: INTERP_ZW ____, R0.x, PARAM1.x VEC_210
      6 x: MUL_IEEE T3.x, T2.y, T2.y
        y: ADD T3.y, -T1.z, KC0[1].z
        z: MULADD_IEEE T0.z, T2.z, T2.z, T0.z VEC_102
        w: MULADD_IEEE T1.w, T0.x, T0.x, T1.w
      7 x: RECIPSQRT_IEEE ____, PV.z
        y: RECIPSQRT_IEEE ____, PV.z
        z: RECIPSQRT_IEEE T0.z, PV.z
        w: MULADD_IEEE T1.w, T2.x, T2.x, PV.w
      8 x: RECIPSQRT_IEEE ____, PV.w
        y: RECIPSQRT_IEEE ____, PV.w
        z: RECIPSQRT_IEEE ____, PV.w
        w: RECIPSQRT_IEEE T1.w, PV.w
      9 x: MUL_IEEE T0.x, T0.w, PV.w
        y: MUL_IEEE T1.y, T1.y, T0.z
        z: MUL_IEEE T1.z, T0.x, PV.w
        w: MUL_IEEE T0.w, T1.x, T0.z VEC_120
     10 x: MUL_IEEE T1.x, T2.z, T0.z
        y: MUL_IEEE R0.y, T2.x, T1.w
        z: MULADD_IEEE T0.z, T0.y, T0.y, T3.x
        w: MUL_IEEE ____, PV.w, PV.x
     11 x: MULADD_IEEE T2.x, T3.y, T3.y, PV.z
        w: MULADD_IEEE T1.w, T1.y, T1.z, PV.w VEC_120
     12 y: MULADD_IEEE R1.y, T1.x, R0.y, PV.w
     13 z: MUL_IEEE T0.z, PV.y, 2.0
        w: MAX_DX10 T1.w, PV.y, 0
     14 x: RECIPSQRT_IEEE T0.x, T2.x
        y: RECIPSQRT_IEEE ____, T2.x
        z: RECIPSQRT_IEEE ____, T2.x
        w: MULADD_IEEE T0.w, T0.w, PV.z, -T0.x
     15 x: MUL_IEEE T2.x, T0.y, PV.x
        y: MUL_IEEE ____, T2.y, PV.x VEC_120
        z: MULADD_IEEE T1.z, T1.y, T0.z, -T1.z VEC_201
        w: MULADD_IEEE T2.w, T1.w, KC0[3].x, KC0[2].x
     16 x: MUL_IEEE T0.x, T3.y, T0.x
        y: MUL_IEEE ____, T0.w, PV.y
        z: MULADD_IEEE T0.z, T1.x, T0.z, -R0.y
        w: MULADD_IEEE T0.w, T1.w, KC0[3].y, KC0[2].y VEC_120
     17 y: MULADD_IEEE T0.y, T1.z, T2.x, PV.y
        z: MULADD_IEEE T1.z, T1.w, KC0[3].z, KC0[2].z
     18 x: MULADD_IEEE T0.x, T0.z, T0.x, PV.y
     19 y: MAX_DX10 ____, PV.x, 0
     20 x: LOG_IEEE ____, PV.y
        y: LOG_IEEE ____, PV.y
        z: LOG_IEEE ____, PV.y
     21 w: MUL ____, PV.z, KC0[5].x
     22 x: EXP_IEEE ____, PV.w
        y: EXP_IEEE ____, PV.w
        z: EXP_IEEE ____, PV.w
     23 y: MUL_IEEE ____, PV.x, KC0[4].x
        z: MUL_IEEE ____, PV.x, KC0[4].y
        w: MUL_IEEE ____, PV.x, KC0[4].z
     24 x: CNDGT T0.x, R1.y, PV.y, 0
        y: CNDGT T0.y, R1.y, PV.z, 0
        z: CNDGT T0.z, R1.y, PV.w, 0
     25 x: ADD R0.x, T0.w, PV.y CLAMP
        y: ADD R0.y, T1.z, PV.z CLAMP
        w: ADD R0.w, T2.w, PV.x CLAMP VEC_120
01 EXP_DONE: PIX0, R0.wxy1
02 CF_END
