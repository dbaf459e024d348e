//! Cases of switches that lead to each other.

use super::run::check;

#[test]
fn cases_that_stand_twice_in_their_list() {
    check("duplicated.spvasm");
}

#[test]
fn cases_that_go_on_with_the_next_iteration() {
    check("falls.spvasm");
}

#[test]
fn targets_outside_the_switch() {
    check("leading_out.spvasm");
}
