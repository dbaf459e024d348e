00 CALL_FS
01 ALU: KCACHE0(CB0:0-15)
      0 x: MUL_IEEE ____, R1.x, KC0[0].z
        y: MUL_IEEE ____, R1.x, KC0[0].w
        z: MUL_IEEE ____, R1.x, KC0[0].x
        w: MUL_IEEE ____, R1.x, KC0[0].y
      1 x: MULADD_IEEE T0.x, R1.y, KC0[1].z, PV.x
        y: MULADD_IEEE T0.y, R1.y, KC0[1].w, PV.y
        z: MULADD_IEEE T0.z, R1.y, KC0[1].x, PV.z
        w: MULADD_IEEE T0.w, R1.y, KC0[1].y, PV.w
      2 x: MULADD_IEEE T0.x, R1.z, KC0[2].z, PV.x
        y: MULADD_IEEE T0.y, R1.z, KC0[2].w, PV.y
        z: MULADD_IEEE T0.z, R1.z, KC0[2].x, PV.z
        w: MULADD_IEEE T0.w, R1.z, KC0[2].y, PV.w
      3 x: MULADD_IEEE R0.x, R1.w, KC0[3].z, PV.x
        y: MULADD_IEEE R0.y, R1.w, KC0[3].w, PV.y
        z: MULADD_IEEE R0.z, R1.w, KC0[3].x, PV.z
        w: MULADD_IEEE R0.w, R1.w, KC0[3].y, PV.w
02 EXP_DONE: POS0, R0.zwxy
03 EXP_DONE: PARAM0, R2.xy00
04 CF_END
