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
        z: RECIPSQRT_IEEE T1.z, PV.w
        w: MUL_IEEE T1.w, T1.x, PV.z
      9 x: MUL_IEEE T0.x, T1.y, T0.z
        y: MUL_IEEE T1.y, T0.x, PV.z
        z: MUL_IEEE T0.z, T2.z, T0.z
        w: MUL_IEEE T0.w, T0.w, PV.z
     10 x: MULADD_IEEE T1.x, T0.y, T0.y, T3.x
        z: MUL_IEEE T1.z, T2.x, T1.z
        w: MUL_IEEE ____, T1.w, PV.w
     11 x: MULADD_IEEE T1.x, T3.y, T3.y, PV.x
        w: MULADD_IEEE T2.w, T0.x, T1.y, PV.w
     12 x: RECIPSQRT_IEEE ____, PV.x
        y: RECIPSQRT_IEEE ____, PV.x
        z: RECIPSQRT_IEEE ____, PV.x
        w: MULADD_IEEE T2.w, T0.z, T1.z, PV.w
     13 x: MUL_IEEE T1.x, T2.y, PV.x
        y: MUL_IEEE T0.y, T0.y, PV.x VEC_120
        z: MUL_IEEE ____, PV.w, 2.0
        w: MUL_IEEE T3.w, T3.y, PV.x VEC_201
     14 x: MULADD_IEEE T0.x, T0.x, PV.z, -T1.y
        y: MULADD_IEEE T1.y, T1.w, PV.z, -T0.w
        z: MULADD_IEEE T0.z, T0.z, PV.z, -T1.z
        w: MAX_DX10 T0.w, T2.w, 0 VEC_120
     15 x: MULADD_IEEE T1.x, PV.w, KC0[3].y, KC0[2].y
        y: MUL_IEEE ____, PV.y, T1.x
        z: MULADD_IEEE T1.z, PV.w, KC0[3].x, KC0[2].x
     16 x: MULADD_IEEE T0.x, T0.w, KC0[3].z, KC0[2].z
        y: MULADD_IEEE T0.y, T0.x, T0.y, PV.y
     17 y: MULADD_IEEE T0.y, T0.z, T3.w, PV.y
     18 y: MAX_DX10 ____, PV.y, 0
     19 x: LOG_IEEE ____, PV.y
        y: LOG_IEEE ____, PV.y
        z: LOG_IEEE ____, PV.y
     20 y: MUL ____, PV.y, KC0[5].x
     21 x: EXP_IEEE ____, PV.y
        y: EXP_IEEE ____, PV.y
        z: EXP_IEEE ____, PV.y
     22 y: MUL_IEEE ____, PV.y, KC0[4].z
        z: MUL_IEEE ____, PV.y, KC0[4].y
        w: MUL_IEEE ____, PV.y, KC0[4].x
     23 y: CNDGT T0.y, T2.w, PV.y, 0
        z: CNDGT T0.z, T2.w, PV.z, 0
        w: CNDGT T0.w, T2.w, PV.w, 0
     24 x: ADD R0.x, T0.x, PV.y CLAMP
        z: ADD R0.z, T1.x, PV.z CLAMP VEC_120
        w: ADD R0.w, T1.z, PV.w CLAMP
01 EXP_DONE: PIX0, R0.wzx1
02 CF_END
