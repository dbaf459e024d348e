00 ALU: KCACHE0(CB0:0-15)
      0 x: INTERP_XY T0.x, R0.y, PARAM1.x VEC_210
        y: INTERP_XY T0.y, R0.x, PARAM1.x VEC_210
        z: INTERP_XY ____, R0.y, PARAM1.x VEC_210
        w: INTERP_XY ____, R0.x, PARAM1.x VEC_210
      1 z: INTERP_Z T0.z, R0.y, PARAM1.x VEC_210
        w: INTERP_Z ____, R0.x, PARAM1.x VEC_210
      2 x: INTERP_XY T1.x, R0.y, PARAM0.x VEC_210
        y: INTERP_XY T1.y, R0.x, PARAM0.x VEC_210
        z: INTERP_XY ____, R0.y, PARAM0.x VEC_210
        w: INTERP_XY ____, R0.x, PARAM0.x VEC_210
      3 z: INTERP_Z T1.z, R0.y, PARAM0.x VEC_210
        w: INTERP_Z ____, R0.x, PARAM0.x VEC_210
      4 x: ADD T2.x, -T1.y, KC0[0].y
        y: ADD T2.y, -T1.z, KC0[0].z
        z: ADD T2.z, -T1.x, KC0[0].x
        w: MUL_IEEE ____, T0.x, T0.x VEC_120
      5 x: ADD T1.x, -T1.x, KC0[1].x
        y: ADD T1.y, -T1.y, KC0[1].y
        z: MUL_IEEE ____, PV.z, PV.z
        w: MULADD_IEEE T0.w, T0.y, T0.y, PV.w VEC_120
      6 x: ADD T3.x, -T1.z, KC0[1].z
        y: MUL_IEEE T3.y, PV.x, PV.x
        z: MULADD_IEEE T1.z, T2.x, T2.x, PV.z
        w: MULADD_IEEE T0.w, T0.z, T0.z, PV.w VEC_120
      7 x: RECIPSQRT_IEEE ____, PV.w
        y: RECIPSQRT_IEEE ____, PV.w
        z: RECIPSQRT_IEEE T1.z, PV.w
        w: MULADD_IEEE T0.w, T2.y, T2.y, PV.z
      8 x: RECIPSQRT_IEEE ____, PV.w
        y: RECIPSQRT_IEEE ____, PV.w
        z: RECIPSQRT_IEEE T3.z, PV.w
        w: MUL_IEEE T0.w, T0.x, PV.z
      9 x: MUL_IEEE T0.x, T2.z, PV.z
        y: MUL_IEEE T0.y, T2.x, PV.z
        z: MUL_IEEE T0.z, T0.z, T1.z VEC_120
        w: MUL_IEEE T1.w, T0.y, T1.z VEC_021
     10 y: MULADD_IEEE T2.y, T1.y, T1.y, T3.y
        z: MUL_IEEE T1.z, T2.y, T3.z VEC_120
        w: MUL_IEEE ____, T0.w, PV.x
     11 y: MULADD_IEEE T2.y, T3.x, T3.x, PV.y
        w: MULADD_IEEE T2.w, T1.w, T0.y, PV.w
     12 x: RECIPSQRT_IEEE ____, PV.y
        y: RECIPSQRT_IEEE T2.y, PV.y
        z: RECIPSQRT_IEEE ____, PV.y
        w: MULADD_IEEE T2.w, T0.z, T1.z, PV.w
     13 x: MUL_IEEE ____, PV.w, 2.0
        y: MUL_IEEE T1.y, T1.y, PV.y
        z: MAX_DX10 T2.z, PV.w, 0
        w: MUL_IEEE T3.w, T1.x, PV.y
     14 x: MULADD_IEEE T0.x, T0.w, PV.x, -T0.x
        y: MUL_IEEE T0.y, T3.x, T2.y
        z: MULADD_IEEE T0.z, T0.z, PV.x, -T1.z
        w: MULADD_IEEE T0.w, T1.w, PV.x, -T0.y VEC_120
     15 x: MUL_IEEE ____, PV.x, T3.w
        z: MULADD_IEEE T1.z, T2.z, KC0[3].x, KC0[2].x
        w: MULADD_IEEE T1.w, T2.z, KC0[3].y, KC0[2].y
     16 x: MULADD_IEEE T0.x, T0.w, T1.y, PV.x
        y: MULADD_IEEE T1.y, T2.z, KC0[3].z, KC0[2].z
     17 x: MULADD_IEEE T0.x, T0.z, T0.y, PV.x
     18 x: MAX_DX10 ____, PV.x, 0
     19 x: LOG_IEEE ____, PV.x
        y: LOG_IEEE ____, PV.x
        z: LOG_IEEE ____, PV.x
     20 x: MUL ____, PV.x, KC0[5].x
     21 x: EXP_IEEE ____, PV.x
        y: EXP_IEEE ____, PV.x
        z: EXP_IEEE ____, PV.x
     22 x: MUL_IEEE ____, PV.x, KC0[4].z
        y: MUL_IEEE ____, PV.x, KC0[4].y
        z: MUL_IEEE ____, PV.x, KC0[4].x
     23 x: CNDGT T0.x, T2.w, PV.x, 0
        y: CNDGT T0.y, T2.w, PV.y, 0
        z: CNDGT T0.z, T2.w, PV.z, 0
     24 y: ADD R0.y, T1.y, PV.x CLAMP
        z: ADD R0.z, T1.z, PV.z CLAMP
        w: ADD R0.w, T1.w, PV.y CLAMP
01 EXP_DONE: PIX0, R0.zwy1
02 CF_END
