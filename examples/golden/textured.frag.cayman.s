00 ALU:
      0 x: INTERP_XY R0.x, R0.y, PARAM0.x VEC_210
        y: INTERP_XY R0.y, R0.x, PARAM0.x VEC_210
        z: INTERP_XY ____, R0.y, PARAM0.x VEC_210
        w: INTERP_XY ____, R0.x, PARAM0.x VEC_210
01 TEX:
      1 SAMPLE R0.xyzw, R0.xy__, t18, s0
02 ALU: KCACHE0(CB0:0-15)
      2 x: MUL_IEEE R0.x, R0.x, KC0[0].x
        y: MUL_IEEE R0.y, R0.y, KC0[0].y
        z: MUL_IEEE R0.z, R0.z, KC0[0].z
        w: MUL_IEEE R0.w, R0.w, KC0[0].w
03 EXP_DONE: PIX0, R0.xyzw
04 CF_END
