/** What FerretDB 1.24 answers otherwise than MongoDB 7.0: full name of a spec -> the reason. The embedded server answers as MongoDB. */
export const DIFFERENCES = {};
