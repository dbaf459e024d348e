00 ALU: KCACHE0(CB0:0-15)
      0 x: MUL_IEEE ____, R1.x, R1.x
        y: ADD T0.y, -R0.y, KC0[0].y
        z: ADD T0.z, -R0.z, KC0[0].z
        w: ADD T0.w, -R0.x, KC0[0].x VEC_120
      1 x: MULADD_IEEE T0.x, R1.y, R1.y, PV.x
        y: ADD T1.y, -R0.x, KC0[1].x
        z: ADD T1.z, -R0.y, KC0[1].y VEC_120
        w: MUL_IEEE ____, PV.w, PV.w
        t: ADD T1.w, -R0.z, KC0[1].z
      2 x: MULADD_IEEE T0.x, R1.z, R1.z, PV.x
        y: MUL_IEEE ____, PV.y, PV.y
        w: MULADD_IEEE T2.w, T0.y, T0.y, PV.w
      3 x: MULADD_IEEE T0.x, T1.z, T1.z, PV.y
        z: MULADD_IEEE T2.z, T0.z, T0.z, PV.w VEC_120
        t: RECIPSQRT_IEEE ____, PV.x DST(R0.w)
      4 x: MUL_IEEE T0.x, R1.z, PS
        y: MULADD_IEEE T2.y, T1.w, T1.w, PV.x
        z: MUL_IEEE T2.z, R1.x, PS
        w: MUL_IEEE T2.w, R1.y, PS
        t: RECIPSQRT_IEEE ____, PV.z DST(R0.y)
      5 x: MUL_IEEE T1.x, T0.z, PS
        z: MUL_IEEE T0.z, T0.w, PS
        w: MUL_IEEE T0.w, T0.y, PS
        t: RECIPSQRT_IEEE ____, PV.y DST(R0.y)
      6 x: MUL_IEEE T2.x, T1.z, PS
        y: MUL_IEEE T0.y, T1.w, PS
        z: MUL_IEEE ____, T2.z, PV.z VEC_120
        w: MUL_IEEE T1.w, T1.y, PS
      7 z: MULADD_IEEE T1.z, T2.w, T0.w, PV.z
      8 w: MULADD_IEEE T3.w, T0.x, T1.x, PV.z
      9 x: MUL_IEEE ____, PV.w, 2.0
        y: MAX_DX10 T1.y, PV.w, 0
     10 x: MULADD_IEEE T0.x, T0.x, PV.x, -T1.x
        y: MULADD_IEEE T2.y, PV.y, KC0[3].x, KC0[2].x
        z: MULADD_IEEE T0.z, T2.z, PV.x, -T0.z
        w: MULADD_IEEE T0.w, T2.w, PV.x, -T0.w
     11 z: MUL_IEEE ____, PV.z, T1.w
        w: MULADD_IEEE T1.w, T1.y, KC0[3].y, KC0[2].y
     12 x: MULADD_IEEE T1.x, T0.w, T2.x, PV.z
        y: MULADD_IEEE T1.y, T1.y, KC0[3].z, KC0[2].z
     13 z: MULADD_IEEE T0.z, T0.x, T0.y, PV.x
     14 w: MAX_DX10 ____, PV.z, 0
     15 t: LOG_IEEE ____, PV.w
     16 y: MUL ____, PS, KC0[5].x
     17 t: EXP_IEEE ____, PV.y DST(R0.z)
     18 x: MUL_IEEE ____, PS, KC0[4].y
        y: MUL_IEEE ____, PS, KC0[4].z
        w: MUL_IEEE ____, PS, KC0[4].x
     19 x: CNDGT T0.x, T3.w, PV.y, 0
        z: CNDGT T0.z, T3.w, PV.w, 0
        w: CNDGT T0.w, T3.w, PV.x, 0
     20 y: ADD R0.y, T2.y, PV.z CLAMP
        z: ADD R0.z, T1.w, PV.w CLAMP
        w: ADD R0.w, T1.y, PV.x CLAMP VEC_120
01 EXP_DONE: PIX0, R0.yzw1
END_OF_PROGRAM
