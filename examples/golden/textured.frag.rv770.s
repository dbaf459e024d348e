00 TEX:
      0 SAMPLE R0.xyzw, R0.xy__, t18, s0
01 ALU: KCACHE0(CB0:0-15)
      1 x: MUL_IEEE R0.x, R0.x, KC0[0].x
        y: MUL_IEEE R0.y, R0.y, KC0[0].y
        z: MUL_IEEE R0.z, R0.z, KC0[0].z
        w: MUL_IEEE R0.w, R0.w, KC0[0].w
02 EXP_DONE: PIX0, R0.xyzw
END_OF_PROGRAM
