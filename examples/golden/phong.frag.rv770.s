00 ALU: KCACHE0(CB0:0-15)
      0 x: ADD T0.x, -R0.y, KC0[0].y
        y: ADD T0.y, -R0.z, KC0[0].z
        w: ADD T0.w, -R0.x, KC0[0].x
      1 x: DOT4_IEEE ____, R1.x, R1.x
        y: DOT4_IEEE ____, R1.y, R1.y
        z: DOT4_IEEE ____, R1.z, R1.z
        w: DOT4_IEEE ____, 0, 0
        t: ADD T0.z, -R0.x, KC0[1].x
      2 x: DOT4_IEEE ____, T0.w, T0.w
        y: DOT4_IEEE ____, T0.x, T0.x
        z: DOT4_IEEE ____, T0.y, T0.y
        w: DOT4_IEEE ____, 0, 0
        t: RECIPSQRT_IEEE ____, PV.x
      3 x: MUL_IEEE T1.x, R1.x, PS
        y: MUL_IEEE T1.y, R1.y, PS
        z: MUL_IEEE T1.z, R1.z, PS
        w: ADD T1.w, -R0.y, KC0[1].y VEC_120
        t: RECIPSQRT_IEEE ____, PV.x DST(R0.w)
      4 x: MUL_IEEE T0.x, T0.x, PS
        y: MUL_IEEE T0.y, T0.w, PS
        w: MUL_IEEE T0.w, T0.y, PS
        t: ADD T2.y, -R0.z, KC0[1].z
      5 x: DOT4_IEEE ____, T1.x, PV.y
        y: DOT4_IEEE ____, T1.y, PV.x
        z: DOT4_IEEE T2.z, T1.z, PV.w
        w: DOT4_IEEE ____, 0, 0
      6 x: DOT4_IEEE ____, T0.z, T0.z
        y: DOT4_IEEE ____, T1.w, T1.w
        z: DOT4_IEEE ____, T2.y, T2.y
        w: DOT4_IEEE ____, 0, 0
        t: MUL_IEEE ____, PV.x, 2.0 DST(R0.w)
      7 x: MULADD_IEEE T0.x, T1.y, PS, -T0.x
        y: MULADD_IEEE T0.y, T1.x, PS, -T0.y
        z: MAX_DX10 T1.z, T2.z, 0
        w: MULADD_IEEE T0.w, T1.z, PS, -T0.w VEC_120
        t: RECIPSQRT_IEEE ____, PV.x
      8 y: MUL_IEEE ____, T2.y, PS
        z: MUL_IEEE ____, T0.z, PS
        w: MUL_IEEE ____, T1.w, PS
      9 x: DOT4_IEEE ____, T0.y, PV.z
        y: DOT4_IEEE ____, T0.x, PV.w
        z: DOT4_IEEE ____, T0.w, PV.y
        w: DOT4_IEEE ____, 0, 0
     10 x: MAX_DX10 ____, PV.x, 0
     11 t: LOG_IEEE ____, PV.x DST(R0.y)
     12 w: MUL ____, PS, KC0[5].x
     13 t: EXP_IEEE ____, PV.w
     14 x: MUL_IEEE ____, PS, KC0[4].z
        y: MUL_IEEE ____, PS, KC0[4].x
        w: MUL_IEEE ____, PS, KC0[4].y
     15 x: CNDGT T0.x, T2.z, PV.x, 0
        y: CNDGT T0.y, T2.z, PV.y, 0
        w: CNDGT T0.w, T2.z, PV.w, 0
     16 x: DOT4_IEEE ____, KC0[2].x, 1.0 CLAMP
        y: DOT4_IEEE R0.y, T1.z, KC0[3].x CLAMP
        z: DOT4_IEEE ____, PV.y, 1.0 CLAMP
        w: DOT4_IEEE ____, 0, 0 CLAMP
     17 x: DOT4_IEEE ____, KC0[2].y, 1.0 CLAMP
        y: DOT4_IEEE ____, T1.z, KC0[3].y CLAMP
        z: DOT4_IEEE ____, T0.w, 1.0 CLAMP
        w: DOT4_IEEE R0.w, 0, 0 CLAMP
     18 x: DOT4_IEEE ____, KC0[2].z, 1.0 CLAMP
        y: DOT4_IEEE ____, T1.z, KC0[3].z CLAMP
        z: DOT4_IEEE R0.z, T0.x, 1.0 CLAMP
        w: DOT4_IEEE ____, 0, 0 CLAMP
01 EXP_DONE: PIX0, R0.ywz1
END_OF_PROGRAM
