/** The DfE's codes of year groups, and those of Scotland and Northern Ireland. */
export const YEAR_GROUP_CODES =
  "'E1', 'E2', 'N1', 'N2', 'R', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '13', '14', 'P1', 'P2', 'P3', 'P4', 'P5', 'P6', 'P7', 'M', 'X'";
