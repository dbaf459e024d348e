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
      3 x: INTERP_ZW ____, R0.y, PARAM1.x VEC_210
        y: INTERP_ZW ____, R0.x, PARAM1.x VEC_210
        z: INTERP_ZW T1.z, R0.y, PARAM1.x VEC_210
        w: INTERP_ZW ____, R0.x, PARAM1.x VEC_210
      4 x: INTERP_ZW ____, R0.y, PARAM0.x VEC_210
        y: INTERP_ZW ____, R0.x, PARAM0.x VEC_210
        z: INTERP_ZW T2.z, R0.y, PARAM0.x VEC_210
        w: INTERP_ZW ____, R0.x, PARAM0.x VEC_210
      5 x: MULADD_IEEE T2.x, T1.y, T1.y, T0.z
        y: ADD T0.y, -T0.y, KC0[1].y VEC_120
        z: ADD T0.z, -T2.z, KC0[0].z
        w: MUL_IEEE ____, T0.w, T0.w
      6 x: MUL_IEEE T2.x, T2.y, T2.y
        y: ADD T3.y, -T2.z, KC0[1].z
        z: MULADD_IEEE T2.z, T1.z, T1.z, PV.x VEC_120
        w: MULADD_IEEE T1.w, T0.x, T0.x, PV.w
      7 x: RECIPSQRT_IEEE ____, PV.z
        y: RECIPSQRT_IEEE ____, PV.z
        z: RECIPSQRT_IEEE T2.z, PV.z
        w: MULADD_IEEE T1.w, T0.z, T0.z, PV.w
      8 x: RECIPSQRT_IEEE T1.x, PV.w
        y: RECIPSQRT_IEEE ____, PV.w
        z: RECIPSQRT_IEEE ____, PV.w
        w: MUL_IEEE T1.w, T1.x, PV.z
      9 x: MUL_IEEE T0.x, T0.x, PV.x
        y: MUL_IEEE T1.y, T1.z, T2.z
        z: MUL_IEEE T1.z, T0.w, PV.x
        w: MUL_IEEE T0.w, T1.y, T2.z
     10 x: MULADD_IEEE T1.x, T0.y, T0.y, T2.x
        z: MUL_IEEE ____, T1.w, PV.z
        w: MUL_IEEE T2.w, T0.z, T1.x
     11 x: MULADD_IEEE T1.x, T3.y, T3.y, PV.x
        z: MULADD_IEEE T0.z, T0.w, T0.x, PV.z
     12 x: RECIPSQRT_IEEE ____, PV.x
        y: RECIPSQRT_IEEE ____, PV.x
        z: RECIPSQRT_IEEE T0.z, PV.x
        w: MULADD_IEEE T3.w, T1.y, T2.w, PV.z
     13 x: MAX_DX10 T1.x, PV.w, 0
        y: MUL_IEEE T0.y, T2.y, PV.z
        z: MUL_IEEE ____, PV.w, 2.0
        w: MUL_IEEE R0.w, T0.y, PV.z VEC_120
     14 x: MULADD_IEEE T0.x, T1.w, PV.z, -T1.z
        y: MULADD_IEEE T1.y, T1.y, PV.z, -T2.w
        z: MULADD_IEEE T0.z, T0.w, PV.z, -T0.x VEC_120
        w: MUL_IEEE T0.w, T3.y, T0.z VEC_102
     15 x: MULADD_IEEE T0.x, T1.x, KC0[3].y, KC0[2].y
        y: MULADD_IEEE T0.y, T1.x, KC0[3].x, KC0[2].x
        z: MUL_IEEE ____, PV.x, T0.y
     16 y: MULADD_IEEE T2.y, T0.z, R0.w, PV.z
        z: MULADD_IEEE T0.z, T1.x, KC0[3].z, KC0[2].z
     17 x: MULADD_IEEE T1.x, T1.y, T0.w, PV.y
     18 w: MAX_DX10 ____, PV.x, 0
     19 x: LOG_IEEE ____, PV.w
        y: LOG_IEEE ____, PV.w
        z: LOG_IEEE ____, PV.w
     20 w: MUL ____, PV.y, KC0[5].x
     21 x: EXP_IEEE ____, PV.w
        y: EXP_IEEE ____, PV.w
        z: EXP_IEEE ____, PV.w
     22 x: MUL_IEEE ____, PV.y, KC0[4].y
        z: MUL_IEEE ____, PV.y, KC0[4].z
        w: MUL_IEEE ____, PV.y, KC0[4].x
     23 x: CNDGT T1.x, T3.w, PV.z, 0
        y: CNDGT T1.y, T3.w, PV.w, 0
        w: CNDGT T0.w, T3.w, PV.x, 0
     24 y: ADD R0.y, T0.x, PV.w CLAMP
        z: ADD R0.z, T0.z, PV.x CLAMP
        w: ADD R0.w, T0.y, PV.y CLAMP
01 EXP_DONE: PIX0, R0.wyz1
02 CF_END
