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
      3 x: MUL_IEEE ____, PV.w, PV.w VEC_210
        y: MUL_IEEE T3.y, PV.y, PV.y VEC_210
        z: INTERP_Z T1.z, R0.y, PARAM0.x VEC_210
        w: INTERP_Z ____, R0.x, PARAM0.x VEC_210
      4 x: MULADD_IEEE T2.x, T1.y, T1.y, T0.z
        y: ADD T0.y, -T0.y, KC0[1].y VEC_120
        z: ADD T0.z, -T1.z, KC0[0].z
        w: MULADD_IEEE T1.w, T0.x, T0.x, PV.x
      5 x: MULADD_IEEE T3.x, PV.z, PV.z, PV.w VEC_210
        y: MULADD_IEEE T3.y, PV.y, PV.y, T3.y VEC_210
        z: INTERP_Z T2.z, R0.y, PARAM1.x VEC_210
        w: INTERP_Z ____, R0.x, PARAM1.x VEC_210
      6 x: RECIPSQRT_IEEE T2.x, PV.x
        y: RECIPSQRT_IEEE ____, PV.x
        z: RECIPSQRT_IEEE ____, PV.x
        w: MULADD_IEEE T1.w, T2.z, T2.z, T2.x
      7 x: RECIPSQRT_IEEE ____, PV.w
        y: RECIPSQRT_IEEE ____, PV.w
        z: RECIPSQRT_IEEE ____, PV.w
        w: MUL_IEEE T0.w, T0.w, PV.x
      8 x: MUL_IEEE T1.x, T0.z, T2.x
        y: MUL_IEEE T1.y, T2.z, PV.z VEC_120
        z: MUL_IEEE T0.z, T1.y, PV.z
        w: MUL_IEEE T1.w, T1.x, PV.z
      9 x: MUL_IEEE T0.x, T0.x, T2.x
        z: ADD T1.z, -T1.z, KC0[1].z
        w: MUL_IEEE ____, PV.w, T0.w
     10 z: MULADD_IEEE T2.z, PV.z, PV.z, T3.y
        w: MULADD_IEEE T2.w, T0.z, PV.x, PV.w
     11 x: RECIPSQRT_IEEE ____, PV.z
        y: RECIPSQRT_IEEE ____, PV.z
        z: RECIPSQRT_IEEE ____, PV.z
        w: MULADD_IEEE T2.w, T1.y, T1.x, PV.w
     12 x: MUL_IEEE ____, PV.w, 2.0
        y: MUL_IEEE T0.y, T2.y, PV.z
        z: MUL_IEEE T1.z, T1.z, PV.z
        w: MUL_IEEE T3.w, T0.y, PV.z VEC_120
     13 x: MULADD_IEEE T0.x, T0.z, PV.x, -T0.x
        y: MULADD_IEEE T1.y, T1.w, PV.x, -T0.w
        z: MAX_DX10 T0.z, T2.w, 0 VEC_120
        w: MULADD_IEEE T0.w, T1.y, PV.x, -T1.x VEC_021
     14 x: MULADD_IEEE T1.x, PV.z, KC0[3].x, KC0[2].x
        y: MUL_IEEE ____, PV.y, T0.y
        z: MULADD_IEEE T2.z, PV.z, KC0[3].y, KC0[2].y
     15 x: MULADD_IEEE T0.x, T0.z, KC0[3].z, KC0[2].z
        y: MULADD_IEEE T0.y, T0.x, T3.w, PV.y
     16 y: MULADD_IEEE T0.y, T0.w, T1.z, PV.y
     17 y: MAX_DX10 ____, PV.y, 0
     18 x: LOG_IEEE ____, PV.y
        y: LOG_IEEE ____, PV.y
        z: LOG_IEEE ____, PV.y
     19 y: MUL ____, PV.y, KC0[5].x
     20 x: EXP_IEEE ____, PV.y
        y: EXP_IEEE ____, PV.y
        z: EXP_IEEE ____, PV.y
     21 y: MUL_IEEE ____, PV.y, KC0[4].z
        z: MUL_IEEE ____, PV.y, KC0[4].x
        w: MUL_IEEE ____, PV.y, KC0[4].y
     22 y: CNDGT T0.y, T2.w, PV.y, 0
        z: CNDGT T0.z, T2.w, PV.z, 0
        w: CNDGT T0.w, T2.w, PV.w, 0
     23 x: ADD R0.x, T0.x, PV.y CLAMP
        z: ADD R0.z, T2.z, PV.w CLAMP
        w: ADD R0.w, T1.x, PV.z CLAMP VEC_120
01 EXP_DONE: PIX0, R0.wzx1
02 CF_END
