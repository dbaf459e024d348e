00 ALU: KCACHE0(CB0:0-15)
      0 x: INTERP_XY T0.x, R0.y, PARAM0.x VEC_210
        y: INTERP_XY T0.y, R0.x, PARAM0.x VEC_210
        z: INTERP_XY ____, R0.y, PARAM0.x VEC_210
        w: INTERP_XY ____, R0.x, PARAM0.x VEC_210
      1 x: INTERP_XY T1.x, R0.y, PARAM1.x VEC_210
        y: INTERP_XY T1.y, R0.x, PARAM1.x VEC_210
        z: INTERP_XY ____, R0.y, PARAM1.x VEC_210
        w: INTERP_XY ____, R0.x, PARAM1.x VEC_210
        t: ADD T0.w, -T0.x, KC0[0].x SCL_122
      2 x: INTERP_ZW ____, R0.y, PARAM0.x VEC_210
        y: INTERP_ZW ____, R0.x, PARAM0.x VEC_210
        z: INTERP_ZW T0.z, R0.y, PARAM0.x VEC_210
        w: INTERP_ZW ____, R0.x, PARAM0.x VEC_210
        t: ADD T1.w, -T0.y, KC0[0].y SCL_122
      3 x: ADD T0.x, -T0.z, KC0[0].z
        y: ADD T0.y, -T0.x, KC0[1].x
        z: MUL_IEEE T1.z, T1.x, T1.x VEC_120
        w: MUL_IEEE ____, T0.w, T0.w
        t: ADD T2.z, -T0.y, KC0[1].y
      4 x: INTERP_ZW ____, R0.y, PARAM1.x VEC_210
        y: INTERP_ZW ____, R0.x, PARAM1.x VEC_210
        z: INTERP_ZW T3.z, R0.y, PARAM1.x VEC_210
        w: INTERP_ZW ____, R0.x, PARAM1.x VEC_210
        t: MULADD_IEEE T2.w, T1.w, T1.w, PV.w
      5 x: MULADD_IEEE T2.x, T1.y, T1.y, T1.z
        y: MULADD_IEEE T2.y, T0.x, T0.x, PS
        z: MUL_IEEE ____, T0.y, T0.y VEC_120
        w: ADD T2.w, -T0.z, KC0[1].z
      6 x: MULADD_IEEE T2.x, T3.z, T3.z, PV.x
        z: MULADD_IEEE T0.z, T2.z, T2.z, PV.z VEC_120
        t: RECIPSQRT_IEEE ____, PV.y DST(R0.y)
      7 x: MUL_IEEE T0.x, T0.w, PS
        y: MUL_IEEE T2.y, T1.w, PS VEC_120
        z: MUL_IEEE T0.z, T0.x, PS
        w: MULADD_IEEE T0.w, T2.w, T2.w, PV.z VEC_201
        t: RECIPSQRT_IEEE ____, PV.x DST(R0.w)
      8 x: MUL_IEEE T1.x, T1.x, PS
        y: MUL_IEEE T1.y, T1.y, PS
        z: MUL_IEEE T1.z, T3.z, PS
        t: RECIPSQRT_IEEE ____, PV.w DST(R0.w)
      9 x: MUL_IEEE ____, PV.x, T0.x
        y: MUL_IEEE T0.y, T0.y, PS
        z: MUL_IEEE T2.z, T2.z, PS
        w: MUL_IEEE T0.w, T2.w, PS
     10 x: MULADD_IEEE T2.x, T1.y, T2.y, PV.x
     11 y: MULADD_IEEE T3.y, T1.z, T0.z, PV.x
     12 z: MUL_IEEE ____, PV.y, 2.0
        w: MAX_DX10 T1.w, PV.y, 0
     13 x: MULADD_IEEE T0.x, T1.x, PV.z, -T0.x
        y: MULADD_IEEE T1.y, T1.y, PV.z, -T2.y
        z: MULADD_IEEE T0.z, T1.z, PV.z, -T0.z
        w: MULADD_IEEE T2.w, PV.w, KC0[3].x, KC0[2].x
        t: MULADD_IEEE T1.x, PV.w, KC0[3].y, KC0[2].y
     14 y: MUL_IEEE ____, PV.x, T0.y
        z: MULADD_IEEE T1.z, T1.w, KC0[3].z, KC0[2].z
     15 w: MULADD_IEEE T1.w, T1.y, T2.z, PV.y
     16 x: MULADD_IEEE T0.x, T0.z, T0.w, PV.w
     17 y: MAX_DX10 ____, PV.x, 0
     18 t: LOG_IEEE ____, PV.y DST(R0.z)
     19 w: MUL ____, PS, KC0[5].x
     20 t: EXP_IEEE ____, PV.w
     21 y: MUL_IEEE ____, PS, KC0[4].x
        z: MUL_IEEE ____, PS, KC0[4].y
        w: MUL_IEEE ____, PS, KC0[4].z
     22 x: CNDGT T0.x, T3.y, PV.y, 0
        y: CNDGT T0.y, T3.y, PV.z, 0
        z: CNDGT T0.z, T3.y, PV.w, 0
     23 x: ADD R0.x, T1.x, PV.y CLAMP
        y: ADD R0.y, T1.z, PV.z CLAMP
        w: ADD R0.w, T2.w, PV.x CLAMP
01 EXP_DONE: PIX0, R0.wxy1
END_OF_PROGRAM
