/**
 * What a spec file would otherwise put into the data of all its cases, and FerretDB 1.24 refuses by closing the
 * connection or with 238.
 */
export const LACKS = 'decimal128,nan,nested-arrays,partial-indexes';

const types =
  'Decimal128, NaN, MinKey, MaxKey and Code are refused or end the connection; its validation says "nested arrays are not supported"';
const unimplemented = 'FerretDB answers that it is not implemented, or ignores it';
const codes = 'refused with another code; unknown fields of ping are ignored';
const keys = "FerretDB's duplicate key error has no keyPattern and keyValue";
const steps =
  'FerretDB reads and writes in two steps: no atomic update of a document by several writers (its issue 3040)';

/** How much specs do that go on for as long as they are told: each write is a scan of its collection. */
export const FEWER = { RACE_ROUNDS: '3' };

/** What is still under way when the database is dropped, which FerretDB then never ends. */
export const SLOW = [
  [
    /^bulk writes goes through thousands/,
    'each write is a scan of its collection: it does not come to its end in time',
  ],
];

/**
 * Specs of the product in which many change one document at once, where that is not made safe in another way: they pass
 * by luck.
 */
export const UNSAFE = [
  [/^a password cannot be tried on and on, also not many at once/, `tries are counted by compare-and-set; ${steps}`],
  [
    /^an e-mailed link is written to an invited person again/,
    `a timer that is scheduled anew while it is removed is removed; ${steps}`,
  ],
];

/**
 * What FerretDB 1.24 answers otherwise than MongoDB 7.0, which the embedded server follows: specs, and the reason as
 * FerretDB's answers show it.
 */
export const DIFFERENCES = [
  [/^filters \{"l":\[1,2\]\}|^filters \{"a":null\}|^sorts values of all types|^insert keeps every BSON type/, types],
  [
    /^filters \{"l":\{"\$elemMatch":\{"p"|^projections (\{"l":\{"\$slice"|reaches into arrays)/,
    `$elemMatch on documents, $slice and $elemMatch projections: ${unimplemented}`,
  ],
  [
    /^filters \{"(l\.0":1|n":\{"x":1)\}/,
    'an index in a path, and a whole document as a value, do not match beside values of another shape',
  ],
  [
    /^filters refuses with 27|^aggregation refuses with|^administration of indexes refuses with|^update refuses with 2$|^the handshake refuses with/,
    codes,
  ],
  [
    /^what every command takes is refused with (322|14|4886600|9|20):|^(read|write) concerns are refused/,
    'API versions, preferences, concerns and transaction numbers are ignored, whatever they hold',
  ],
  [
    /^statements refuse with (52|51198|14)|^statements refuse with \d+ to update by \{"q":(\{\},"u":\{("b":1\},"arrayF|"\$set")|\{"none":1\},"u":\{"\$(push|addToSet|pullAll|pop|bit))/,
    'an update is looked at when a document matches; constants and arrayFilters are ignored',
  ],
  [/^filters (are refused with 2: \{"l":\{"\$all"|look at all bits)/, 'conditions in $all are ignored; bits of bytes'],
  [/^orders, hints and projections are refused with (9|31274|31275|2: \{"limit")/, codes],
  [
    /^stages (are refused with (28808|28809|28810|28811|28812|28822|40236|31250|31252|31254|31310)|of a command refused with (40415|72))/,
    codes,
  ],
  [/^stages project what stands inside|^explain refuses with 40415/, unimplemented],
  [/^collections and their indexes (are not created|of a database)/, codes],
  [/^administration of indexes (hides|takes)/, `hidden and partial indexes: ${unimplemented}`],
  [/^cursors knows skip, limit, hint/, 'count takes no hint and no limit'],
  [/^aggregation (\$group$|\$unwind keeping|\$project with)/, `$avg, options of $unwind, $literal: ${unimplemented}`],
  [/^plans /, 'explain shows the query of the SQL backend, not the plan of an index'],
  [/^the planner pages by key/, 'explain shows the query of the SQL backend, not the plan of an index'],
  [
    /^unique indexes (refuse a second|count missing|hold for every)|^insert reports duplicates|^findAndModify reports a duplicate/,
    `${keys}; arrays and missing fields are not unique`,
  ],
  [/^unique indexes are not created over duplicates/, codes],
  [
    /^administration of indexes (creates, lists|refuses parallel)/,
    'sparse is ignored, arrays in two fields of an index are taken',
  ],
  [
    /^insert (refuses unfit|takes documents up to 16 MB)/,
    'names of collections and sizes of documents are not checked',
  ],
  [
    /^update applies/,
    `null in place of what is removed from an array, modifiers of $push, conditions of $pull, positional operators: ${unimplemented}`,
  ],
  [/^update upserts from the equalities/, '$and in the filter of an upsert gives no fields'],
  [/^(update lets only one|update makes one|messages serves many)/, steps],
  [/^findAndModify answers the old or the new/, `fields: ${unimplemented}`],
  [
    /^bulk writes/,
    'an update stops at its first error also when it is unordered (issue 2612 of FerretDB); positions of upserts are counted otherwise; unacknowledged writes are answered',
  ],
  [
    /^the handshake (says|refuses transactions)/,
    'serverStatus has no connections, txnNumber and autocommit are unknown fields',
  ],
  [/^collections and databases creates/, 'listCollections with nameOnly leaves out the type'],
];
