; Halves a colour twice, then adds a texel.
ALU:
  0 x: MUL R0.x, R0.x, 0.25
    y: MUL R0.y, R1.x, 3.5
  1 x: MOV R2.x, PV.x
    t: RECIP_IEEE R2.y, R1.y
JUMP texel

texel:
TEX:
    SAMPLE R1.xyzw, R2.xy__, t0, s0
ALU:
    x: ADD R0.x, R0.x, R1.x
EXP_DONE: PIX0, R0.xy01
END_OF_PROGRAM
