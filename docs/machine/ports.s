ALU:
  0 x: MULADD R0.x, R1.x, R2.x, R3.x
    y: ADD R0.y, R4.x, R1.y
EXP_DONE: PIX0, R0.xyzw
END_OF_PROGRAM
