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
        t: MULADD_IEEE T2.x, T1.w, T1.w, PV.w
      5 x: MUL_IEEE ____, T0.y, T0.y
        y: MULADD_IEEE T2.y, T0.x, T0.x, PS
        z: ADD T0.z, -T0.z, KC0[1].z
        w: MULADD_IEEE T2.w, T1.y, T1.y, T1.z VEC_102
      6 z: MULADD_IEEE T1.z, T2.z, T2.z, PV.x
        w: MULADD_IEEE T2.w, T3.z, T3.z, PV.w VEC_120
        t: RECIPSQRT_IEEE ____, PV.y DST(R0.y)
      7 x: MUL_IEEE T0.x, T0.x, PS
        y: MUL_IEEE T2.y, T1.w, PS
        z: MULADD_IEEE T1.z, T0.z, T0.z, PV.z
        w: MUL_IEEE T0.w, T0.w, PS VEC_120
        t: RECIPSQRT_IEEE ____, PV.w
      8 x: MUL_IEEE T1.x, T1.y, PS
        y: MUL_IEEE T1.y, T3.z, PS
        w: MUL_IEEE T1.w, T1.x, PS
        t: RECIPSQRT_IEEE ____, PV.z DST(R0.w)
      9 x: MUL_IEEE T2.x, T0.y, PS
        y: MUL_IEEE T0.y, T2.z, PS
        z: MUL_IEEE ____, PV.w, T0.w
        w: MUL_IEEE T2.w, T0.z, PS VEC_120
     10 z: MULADD_IEEE T0.z, T1.x, T2.y, PV.z
     11 z: MULADD_IEEE T0.z, T1.y, T0.x, PV.z
     12 y: MAX_DX10 T3.y, PV.z, 0
        z: MUL_IEEE ____, PV.z, 2.0
     13 x: MULADD_IEEE T0.x, T1.y, PV.z, -T0.x
        y: MULADD_IEEE T1.y, PV.y, KC0[3].x, KC0[2].x
        z: MULADD_IEEE T1.z, T1.w, PV.z, -T0.w
        w: MULADD_IEEE T0.w, T1.x, PV.z, -T2.y
        t: MULADD_IEEE T1.w, PV.y, KC0[3].y, KC0[2].y
     14 x: MUL_IEEE ____, PV.z, T2.x
        z: MULADD_IEEE T1.z, T3.y, KC0[3].z, KC0[2].z
     15 y: MULADD_IEEE T0.y, T0.w, T0.y, PV.x
     16 x: MULADD_IEEE T0.x, T0.x, T2.w, PV.y
     17 w: MAX_DX10 ____, PV.x, 0
     18 t: LOG_IEEE ____, PV.w
     19 y: MUL ____, PS, KC0[5].x
     20 t: EXP_IEEE ____, PV.y
     21 x: MUL_IEEE ____, PS, KC0[4].z
        y: MUL_IEEE ____, PS, KC0[4].y
        w: MUL_IEEE ____, PS, KC0[4].x
     22 x: CNDGT T0.x, T0.z, PV.w, 0
        y: CNDGT T0.y, T0.z, PV.x, 0
        w: CNDGT T0.w, T0.z, PV.y, 0
     23 x: ADD R0.x, T1.w, PV.w CLAMP
        z: ADD R0.z, T1.y, PV.x CLAMP
        w: ADD R0.w, T1.z, PV.y CLAMP
01 EXP_DONE: PIX0, R0.zxw1
END_OF_PROGRAM
