00 CALL_FS
01 ALU: KCACHE0(CB0:0-15)
      0 x: MUL_IEEE ____, R1.x, KC0[0].y
        y: MUL_IEEE ____, R1.x, KC0[0].z
        z: MUL_IEEE ____, R1.x, KC0[0].w
        w: MUL_IEEE ____, R1.x, KC0[0].x
      1 x: MULADD_IEEE T0.x, R1.y, KC0[1].y, PV.x
        y: MULADD_IEEE T0.y, R1.y, KC0[1].z, PV.y
        z: MULADD_IEEE T0.z, R1.y, KC0[1].w, PV.z
        w: MULADD_IEEE T0.w, R1.y, KC0[1].x, PV.w
      2 x: MULADD_IEEE T0.x, R1.z, KC0[2].y, PV.x
        y: MULADD_IEEE T0.y, R1.z, KC0[2].z, PV.y
        z: MULADD_IEEE T0.z, R1.z, KC0[2].w, PV.z
        w: MULADD_IEEE T0.w, R1.z, KC0[2].x, PV.w
      3 x: ADD R0.x, PV.x, KC0[3].y
        y: ADD R0.y, PV.y, KC0[3].z
        z: ADD T0.z, PV.z, KC0[3].w
        w: ADD R0.w, PV.w, KC0[3].x
      4 x: MUL_IEEE ____, PV.w, KC0[4].y
        y: MUL_IEEE ____, PV.w, KC0[4].z
        z: MUL_IEEE ____, PV.w, KC0[4].w
        w: MUL_IEEE ____, PV.w, KC0[4].x
      5 x: MULADD_IEEE T0.x, R0.x, KC0[5].y, PV.x
        y: MULADD_IEEE T0.y, R0.x, KC0[5].z, PV.y
        z: MULADD_IEEE T1.z, R0.x, KC0[5].w, PV.z
        w: MULADD_IEEE T0.w, R0.x, KC0[5].x, PV.w
      6 x: MULADD_IEEE T0.x, R0.y, KC0[6].y, PV.x
        y: MULADD_IEEE T0.y, R0.y, KC0[6].z, PV.y
        z: MULADD_IEEE T1.z, R0.y, KC0[6].w, PV.z
        w: MULADD_IEEE T0.w, R0.y, KC0[6].x, PV.w
      7 x: MULADD_IEEE R1.x, T0.z, KC0[7].y, PV.x
        y: MULADD_IEEE R1.y, T0.z, KC0[7].z, PV.y
        z: MULADD_IEEE R1.z, T0.z, KC0[7].w, PV.z
        w: MULADD_IEEE R1.w, T0.z, KC0[7].x, PV.w
02 EXP_DONE: POS0, R1.wxyz
03 ALU: KCACHE0(CB0:0-15)
      8 z: MUL_IEEE T0.z, R2.x, KC0[9].x
        w: MUL_IEEE ____, R2.x, KC0[8].x
      9 x: MUL_IEEE ____, R2.x, KC0[10].x
        w: MULADD_IEEE T0.w, R2.y, KC0[8].y, PV.w
     10 y: MULADD_IEEE T0.y, R2.y, KC0[10].y, PV.x
        z: MULADD_IEEE T0.z, R2.y, KC0[9].y, T0.z
     11 x: MULADD_IEEE R1.x, R2.z, KC0[9].z, PV.z
        w: MULADD_IEEE R1.w, R2.z, KC0[8].z, T0.w
     12 z: MULADD_IEEE R1.z, R2.z, KC0[10].z, T0.y
04 EXP: PARAM0, R0.wxy0
05 EXP_DONE: PARAM1, R1.wxz0
END_OF_PROGRAM
