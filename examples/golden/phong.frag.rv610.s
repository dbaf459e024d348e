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
      2 x: MULADD_IEEE T0.x, T0.y, T0.y, PV.w
        y: MUL_IEEE ____, PV.y, PV.y
        w: MULADD_IEEE T2.w, R1.z, R1.z, PV.x
      3 x: MULADD_IEEE T0.x, T0.z, T0.z, PV.x
        w: MULADD_IEEE T2.w, T1.z, T1.z, PV.y VEC_120
        t: RECIPSQRT_IEEE ____, PV.w
      4 x: MUL_IEEE T0.x, R1.x, PS
        y: MUL_IEEE T2.y, R1.y, PS
        z: MULADD_IEEE T2.z, T1.w, T1.w, PV.w
        w: MUL_IEEE T2.w, R1.z, PS
        t: RECIPSQRT_IEEE ____, PV.x DST(R0.z)
      5 x: MUL_IEEE T1.x, T0.w, PS
        y: MUL_IEEE T0.y, T0.z, PS
        w: MUL_IEEE T0.w, T0.y, PS
        t: RECIPSQRT_IEEE ____, PV.z DST(R0.z)
      6 x: MUL_IEEE T2.x, T1.y, PS
        y: MUL_IEEE T1.y, T1.z, PS
        z: MUL_IEEE ____, T0.x, PV.x
        w: MUL_IEEE T1.w, T1.w, PS
      7 z: MULADD_IEEE T0.z, T2.y, T0.w, PV.z
      8 z: MULADD_IEEE T0.z, T2.w, T0.y, PV.z
      9 y: MAX_DX10 T3.y, PV.z, 0
        z: MUL_IEEE ____, PV.z, 2.0
     10 x: MULADD_IEEE T0.x, T2.y, PV.z, -T0.w
        y: MULADD_IEEE T0.y, PV.y, KC0[3].x, KC0[2].x
        z: MULADD_IEEE T1.z, T0.x, PV.z, -T1.x
        w: MULADD_IEEE T0.w, T2.w, PV.z, -T0.y
     11 x: MULADD_IEEE T1.x, T3.y, KC0[3].y, KC0[2].y
        w: MUL_IEEE ____, PV.z, T2.x
     12 x: MULADD_IEEE T0.x, T3.y, KC0[3].z, KC0[2].z
        z: MULADD_IEEE T1.z, T0.x, T1.y, PV.w
     13 y: MULADD_IEEE T1.y, T0.w, T1.w, PV.z
     14 w: MAX_DX10 ____, PV.y, 0
     15 t: LOG_IEEE ____, PV.w DST(R0.y)
     16 w: MUL ____, PS, KC0[5].x
     17 t: EXP_IEEE ____, PV.w DST(R0.y)
     18 x: MUL_IEEE ____, PS, KC0[4].z
        z: MUL_IEEE ____, PS, KC0[4].y
        w: MUL_IEEE ____, PS, KC0[4].x
     19 y: CNDGT T1.y, T0.z, PV.w, 0
        z: CNDGT T0.z, T0.z, PV.x, 0
        w: CNDGT T0.w, T0.z, PV.z, 0
     20 x: ADD R0.x, T0.x, PV.z CLAMP
        y: ADD R0.y, T1.x, PV.w CLAMP VEC_120
        w: ADD R0.w, T0.y, PV.y CLAMP
01 EXP_DONE: PIX0, R0.wyx1
END_OF_PROGRAM
