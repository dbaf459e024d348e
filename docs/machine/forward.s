ALU:
  0 x: MUL ____, R0.x, 2.0
    t: RECIP_IEEE ____, R0.y
  1 z: MULADD R0.z, PV.x, PS, 1.0
EXP_DONE: PIX0, R0.zzzz
END_OF_PROGRAM
