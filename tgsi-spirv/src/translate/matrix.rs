//! Matrices: products, transposes, inverses.

use spirv::Op;
use tgsi_ir::Opcode;

use crate::binary::Inst;
use crate::code::Operand;
use crate::error::{Fault, invalid};
use crate::types::Type;

use super::Translator;
use super::value::Value;

/// The columns of a matrix, which all have the same number of rows.
pub(super) struct Matrix {
    pub(super) columns: Vec<Operand>,
    pub(super) rows: u8,
}

impl<'m> Translator<'m> {
    /// The matrix that operand `n` of an instruction names.
    pub(super) fn matrix_operand(&self, inst: Inst<'m>, n: usize) -> Result<Matrix, Fault> {
        let (ty, value) = self.typed_value(inst.id(n)?)?;
        let Type::Matrix { column, len } = *self.module.ty(ty)? else {
            return Err(invalid("an operand is not a matrix"));
        };
        if value.parts().is_none_or(|parts| parts.len() != usize::from(len)) {
            return Err(invalid("a matrix has more or fewer columns than its type"));
        }
        let shape = self.module.shape(column)?;
        let columns = value.parts().unwrap_or_default().iter().map(|part| match part {
            Value::Vector(operand) => Ok(*operand),
            _ => Err(invalid("a matrix column is not a vector")),
        });
        Ok(Matrix { columns: columns.collect::<Result<_, _>>()?, rows: shape.len })
    }

    pub(super) fn define_matrix(
        &mut self,
        inst: Inst<'m>,
        columns: Vec<Operand>,
    ) -> Result<(), Fault> {
        let columns: Vec<Value> = columns.into_iter().map(Value::Vector).collect();
        self.define(inst, Value::Composite(columns.into()))
    }

    /// Instructions on matrices.
    pub(super) fn matrix(&mut self, op: Op, inst: Inst<'m>) -> Result<(), Fault> {
        if self.has_wide_components(inst.id(0)?)? {
            return self.wide_matrix(op, inst);
        }
        match op {
            Op::Transpose => {
                let matrix = self.matrix_operand(inst, 2)?;
                let columns = self.transposed(&matrix);
                self.define_matrix(inst, columns)
            }
            Op::MatrixTimesScalar => {
                let matrix = self.matrix_operand(inst, 2)?;
                let scalar = self.source(inst, 3)?.channel(0);
                let columns = matrix.columns.iter();
                let columns =
                    columns.map(|&one| self.compute(Opcode::Mul, matrix.rows, &[one, scalar]));
                let columns = columns.collect();
                self.define_matrix(inst, columns)
            }
            Op::VectorTimesMatrix => {
                let vector = self.source(inst, 2)?;
                let matrix = self.matrix_operand(inst, 3)?;
                let value = self.vector_times_matrix(vector, &matrix);
                self.define_operand(inst, value)
            }
            Op::MatrixTimesVector => {
                let matrix = self.matrix_operand(inst, 2)?;
                let vector = self.source(inst, 3)?;
                let value = self.matrix_times_vector(&matrix, vector);
                self.define_operand(inst, value)
            }
            Op::MatrixTimesMatrix => {
                let (a, b) = (self.matrix_operand(inst, 2)?, self.matrix_operand(inst, 3)?);
                let columns = b.columns.iter();
                let columns = columns.map(|&column| self.matrix_times_vector(&a, column)).collect();
                self.define_matrix(inst, columns)
            }
            _ => {
                let (a, a_shape) = self.operand(inst.id(2)?)?;
                let (b, b_shape) = self.operand(inst.id(3)?)?;
                let columns = (0..usize::from(b_shape.len))
                    .map(|n| self.compute(Opcode::Mul, a_shape.len, &[a, b.channel(n)]))
                    .collect();
                self.define_matrix(inst, columns)
            }
        }
    }

    fn transposed(&mut self, matrix: &Matrix) -> Vec<Operand> {
        (0..usize::from(matrix.rows))
            .map(|row| {
                let parts: Vec<Operand> =
                    matrix.columns.iter().map(|column| column.channel(row)).collect();
                self.assembled(&parts)
            })
            .collect()
    }

    fn vector_times_matrix(&mut self, vector: Operand, matrix: &Matrix) -> Operand {
        let parts: Vec<Operand> =
            matrix.columns.iter().map(|&column| self.dot(vector, column, matrix.rows)).collect();
        self.gathered(&parts)
    }

    fn matrix_times_vector(&mut self, matrix: &Matrix, vector: Operand) -> Operand {
        let len = matrix.rows;
        let mut sum: Option<Operand> = None;
        for (n, &column) in matrix.columns.iter().enumerate() {
            let channel = vector.channel(n);
            sum = Some(match sum {
                None => self.compute(Opcode::Mul, len, &[column, channel]),
                Some(sum) => self.compute(Opcode::Mad, len, &[column, channel, sum]),
            });
        }
        sum.unwrap_or(vector)
    }

    /// The determinant of a submatrix, given by its rows and columns.
    fn minor(&mut self, matrix: &Matrix, rows: &[usize], columns: &[usize]) -> Operand {
        let at = |row: usize, column: usize| matrix.columns[column].channel(row);
        if rows.len() == 1 {
            return at(rows[0], columns[0]);
        }
        if let (&[r0, r1], &[c0, c1]) = (rows, columns) {
            let product = self.compute(Opcode::Mul, 1, &[at(r1, c0), at(r0, c1)]);
            let sources = [at(r0, c0), at(r1, c1), product.neg()];
            return self.compute(Opcode::Mad, 1, &sources);
        }
        let mut sum: Option<Operand> = None;
        for (n, &column) in columns.iter().enumerate() {
            let others: Vec<usize> = columns.iter().copied().filter(|&one| one != column).collect();
            let minor = self.minor(matrix, &rows[1..], &others);
            let minor = if n % 2 == 1 { minor.neg() } else { minor };
            let factor = at(rows[0], column);
            sum = Some(match sum {
                None => self.compute(Opcode::Mul, 1, &[factor, minor]),
                Some(sum) => self.compute(Opcode::Mad, 1, &[factor, minor, sum]),
            });
        }
        sum.unwrap_or(Operand::float(0.0))
    }

    /// `Determinant`.
    pub(super) fn determinant(&mut self, matrix: &Matrix) -> Operand {
        let all: Vec<usize> = (0..matrix.columns.len()).collect();
        self.minor(matrix, &all, &all)
    }

    /// `MatrixInverse`: the adjugate divided by the determinant.
    pub(super) fn inverse(&mut self, matrix: &Matrix) -> Vec<Operand> {
        let size = matrix.columns.len();
        let all: Vec<usize> = (0..size).collect();
        let without = |n: usize| all.iter().copied().filter(|&one| one != n).collect::<Vec<_>>();
        // Column `c` of the adjugate holds the cofactors of row `c`.
        let mut adjugate = Vec::new();
        for column in 0..size {
            let mut parts = Vec::new();
            for row in 0..size {
                let minor = self.minor(matrix, &without(column), &without(row));
                parts.push(if (row + column) % 2 == 1 { minor.neg() } else { minor });
            }
            adjugate.push(self.gathered(&parts));
        }
        // The determinant is the dot product of the first row of the matrix and the first column of the adjugate.
        let first_row: Vec<Operand> =
            matrix.columns.iter().map(|column| column.channel(0)).collect();
        let first_row = self.assembled(&first_row);
        let determinant = self.dot(first_row, adjugate[0], size as u8);
        let reciprocal = self.compute(Opcode::Rcp, 1, &[determinant]);
        let scale = |this: &mut Self, column: Operand| {
            this.compute(Opcode::Mul, size as u8, &[column, reciprocal.channel(0)])
        };
        adjugate.into_iter().map(|column| scale(self, column)).collect()
    }
}
