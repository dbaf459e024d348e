//! Matrices of doubles, entry by entry.

use spirv::{GlslStd450Op as Glsl, Op};
use tgsi_ir::Opcode;

use crate::binary::{Id, Inst};
use crate::code::Operand;
use crate::error::{Fault, invalid};
use crate::types::{Shape, Type};

use super::Translator;
use super::glsl::ARGS;
use super::value::Value;
use super::wide::component;

/// Columns, each with its rows.
type Columns = Vec<Vec<Operand>>;

impl<'m> Translator<'m> {
    /// Whether a vector or a matrix has components of 64 bits.
    pub(super) fn has_wide_components(&self, ty: Id) -> Result<bool, Fault> {
        let vector = match *self.module.ty(ty)? {
            Type::Matrix { column, .. } => column,
            _ => ty,
        };
        Ok(self.module.shape(vector)?.is_wide())
    }

    /// Instructions on matrices of doubles.
    pub(super) fn wide_matrix(&mut self, op: Op, inst: Inst<'m>) -> Result<(), Fault> {
        let columns = match op {
            Op::Transpose => transposed(&self.wide_columns(inst, 2)?),
            Op::MatrixTimesScalar => {
                let matrix = self.wide_columns(inst, 2)?;
                let scalar = component(&self.value(inst.id(3)?)?, 0)?;
                matrix.iter().map(|column| self.scaled_column(column, scalar)).collect()
            }
            Op::VectorTimesMatrix => {
                let vector = self.wide_vector(inst.id(2)?)?;
                let matrix = self.wide_columns(inst, 3)?;
                vec![matrix.iter().map(|column| self.sum_of_products(&vector, column)).collect()]
            }
            Op::MatrixTimesVector => {
                let rows = transposed(&self.wide_columns(inst, 2)?);
                let vector = self.wide_vector(inst.id(3)?)?;
                vec![rows.iter().map(|row| self.sum_of_products(row, &vector)).collect()]
            }
            Op::MatrixTimesMatrix => {
                let rows = transposed(&self.wide_columns(inst, 2)?);
                let columns = self.wide_columns(inst, 3)?;
                let column = |column: &Vec<Operand>| {
                    rows.iter().map(|row| self.sum_of_products(row, column)).collect()
                };
                columns.iter().map(column).collect()
            }
            _ => {
                let [a, b] = [self.wide_vector(inst.id(2)?)?, self.wide_vector(inst.id(3)?)?];
                b.iter().map(|&factor| self.scaled_column(&a, factor)).collect()
            }
        };
        self.define_columns(inst, columns)
    }

    /// `Determinant` and `MatrixInverse` of doubles.
    pub(super) fn wide_inverse(&mut self, op: Glsl, inst: Inst<'m>) -> Result<(), Fault> {
        let columns = self.wide_columns(inst, ARGS)?;
        let size = columns.len();
        if columns.iter().any(|column| column.len() != size) {
            return Err(invalid("the matrix is not square"));
        }
        let all: Vec<usize> = (0..size).collect();
        let determinant = self.wide_minor(&columns, &all, &all);
        if op == Glsl::Determinant {
            return self.define_operand(inst, determinant);
        }
        let reciprocal = self.pair(Opcode::Drcp, &[determinant]);
        let without = |n: usize| all.iter().copied().filter(|&one| one != n).collect::<Vec<_>>();
        // Column `c` of the adjugate holds the cofactors of row `c`.
        let mut inverse = Columns::new();
        for column in 0..size {
            let mut entries = Vec::new();
            for row in 0..size {
                let minor = self.wide_minor(&columns, &without(column), &without(row));
                entries.push(self.signed(minor, row + column));
            }
            inverse.push(self.scaled_column(&entries, reciprocal));
        }
        self.define_columns(inst, inverse)
    }

    /// The columns of the matrix that operand `n` of an instruction names.
    fn wide_columns(&self, inst: Inst<'m>, n: usize) -> Result<Columns, Fault> {
        let (ty, value) = self.typed_value(inst.id(n)?)?;
        let Type::Matrix { column, .. } = *self.module.ty(ty)? else {
            return Err(invalid("an operand is not a matrix"));
        };
        let shape = self.module.shape(column)?;
        let columns = value.parts().unwrap_or_default().iter();
        columns.map(|column| entries(column, shape)).collect()
    }

    fn wide_vector(&self, id: Id) -> Result<Vec<Operand>, Fault> {
        let (ty, value) = self.typed_value(id)?;
        entries(&value, self.module.shape(ty)?)
    }

    /// Defines an instruction's result as a matrix, or as a vector if there is one column.
    fn define_columns(&mut self, inst: Inst<'m>, columns: Columns) -> Result<(), Fault> {
        let ty = inst.id(0)?;
        let Type::Matrix { column, .. } = *self.module.ty(ty)? else {
            let shape = self.module.shape(ty)?;
            let only = columns.into_iter().next().unwrap_or_default();
            let value = self.vector_of(shape, only)?;
            return self.define(inst, value);
        };
        let shape = self.module.shape(column)?;
        let columns: Result<Vec<Value>, Fault> =
            columns.into_iter().map(|column| self.vector_of(shape, column)).collect();
        self.define(inst, Value::Composite(columns?.into()))
    }

    fn scaled_column(&mut self, column: &[Operand], factor: Operand) -> Vec<Operand> {
        column.iter().map(|&entry| self.pair(Opcode::Dmul, &[entry, factor])).collect()
    }

    fn sum_of_products(&mut self, a: &[Operand], b: &[Operand]) -> Operand {
        let mut sum: Option<Operand> = None;
        for (&a, &b) in a.iter().zip(b) {
            sum = Some(match sum {
                None => self.pair(Opcode::Dmul, &[a, b]),
                Some(sum) => self.pair(Opcode::Dmad, &[a, b, sum]),
            });
        }
        sum.unwrap_or(Operand::word(0))
    }

    /// The negated value if `place` is odd, else the value.
    fn signed(&mut self, value: Operand, place: usize) -> Operand {
        if place % 2 == 1 { self.pair(Opcode::Dneg, &[value]) } else { value }
    }

    /// The determinant of a submatrix, given by its rows and columns.
    fn wide_minor(
        &mut self,
        matrix: &[Vec<Operand>],
        rows: &[usize],
        columns: &[usize],
    ) -> Operand {
        if let (&[row], &[column]) = (rows, columns) {
            return matrix[column][row];
        }
        let Some((&first, rest)) = rows.split_first() else { return super::wide::double(1.0) };
        let (mut factors, mut minors) = (Vec::new(), Vec::new());
        for (n, &column) in columns.iter().enumerate() {
            let others: Vec<usize> = columns.iter().copied().filter(|&one| one != column).collect();
            let minor = self.wide_minor(matrix, rest, &others);
            factors.push(matrix[column][first]);
            minors.push(self.signed(minor, n));
        }
        self.sum_of_products(&factors, &minors)
    }
}

fn transposed(columns: &[Vec<Operand>]) -> Columns {
    let num_rows = columns.first().map_or(0, Vec::len);
    (0..num_rows).map(|row| columns.iter().map(|column| column[row]).collect()).collect()
}

/// The components of a vector.
fn entries(value: &Value, shape: Shape) -> Result<Vec<Operand>, Fault> {
    (0..usize::from(shape.len)).map(|n| component(value, n)).collect()
}
