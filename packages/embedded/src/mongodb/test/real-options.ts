/** The options that every command of MongoDB 7.0 and 8.0 takes. */
export const GENERIC_OPTIONS = words(`
  $db $readPreference $clusterTime $audit $client $configServerState $configTime $oplogQueryData $queryOptions $replData $tenant
  $topologyTime allowImplicitCollectionCreation apiDeprecationErrors apiStrict apiVersion autocommit clientOperationKey comment
  coordinator databaseVersion expectPrefix lsid maxTimeMS maxTimeMSOpOnly mayBypassWriteBlocking readConcern shardVersion
  startTransaction stmtId tracking_info txnNumber txnRetryCounter writeConcern`);

const WRITES = `bypassDocumentValidation bypassEmptyTsReplacement collectionUUID encryptionInformation isTimeseriesNamespace ordered
  stmtIds $_originalCollation $_originalQuery`;

/** The options that the commands of this server take in MongoDB 7.0 and 8.0, besides those of every command. */
export const COMMAND_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  aggregate:
    words(`allowDiskUse bypassDocumentValidation collation collectionUUID cursor encryptionInformation exchange explain
    fromMongos hint isMapReduceCommand let needsMerge pipeline querySettings resumeToken runtimeConstants sampleId
    $_externalDataSources $_generateV2ResumeTokens $_isClusterQueryWithoutShardKeyCmd $_passthroughToShard
    $_requestReshardingResumeToken $_requestResumeToken`),
  buildInfo: [],
  collStats: words('freelist numericOnly scale verbose waitForLock'),
  compact: words('dryRun force freeSpaceTargetMB'),
  connectionStatus: words('showPrivileges'),
  count: words('collation encryptionInformation fields hint limit query skip'),
  create:
    words(`autoIndexId capped changeStreamPreAndPostImages clusteredIndex collation encryptedFields expireAfterSeconds flags
    idIndex indexOptionDefaults max pipeline recordIdsReplicated recordPreImages size storageEngine temp timeseries validationAction
    validationLevel validator viewOn`),
  createIndexes: words(
    'collectionUUID commitQuorum ignoreUnknownIndexOptions indexes isTimeseriesNamespace returnOnStart v',
  ),
  dbStats: words('freeStorage scale'),
  delete: words(`${WRITES} deletes let runtimeConstants`),
  distinct: words('collation hint key query unwindArrays'),
  drop: words('collectionUUID'),
  dropDatabase: [],
  dropIndexes: words('collectionUUID index isTimeseriesNamespace'),
  endSessions: [],
  explain: words('verbosity'),
  find: words(`allowDiskUse allowPartialResults allowSpeculativeMajorityRead awaitData batchSize collation collectionUUID
    encryptionInformation filter hint includeQueryStatsMetrics isClusterQueryWithoutShardKeyCmd let limit max min noCursorTimeout
    ntoreturn oplogReplay options projection querySettings readOnce returnKey runtimeConstants sampleId showRecordId singleBatch skip
    sort tailable term $_requestResumeToken $_resumeAfter $_startAt`),
  findAndModify:
    words(`arrayFilters batchSize bypassDocumentValidation bypassEmptyTsReplacement collation collectionUUID
    encryptionInformation fields hint isTimeseriesNamespace let new query remove runtimeConstants sampleId singleBatch sort update
    upsert $_allowShardKeyUpdatesWithoutFullShardKeyInQuery $_originalCollation $_originalQuery`),
  getCmdLineOpts: [],
  getLog: [],
  getMore: words('batchSize collection includeQueryStatsMetrics lastKnownCommittedOpTime term'),
  hostInfo: [],
  insert: words(`${WRITES} documents includeQueryStatsMetrics`),
  killCursors: words('cursors'),
  killSessions: [],
  listCollections: words('authorizedCollections cursor filter includePendingDrops nameOnly'),
  listDatabases: words('authorizedDatabases filter nameOnly'),
  listIndexes: words('cursor includeBuildUUIDs includeIndexBuildInfo isTimeseriesNamespace'),
  logout: [],
  ping: [],
  refreshSessions: [],
  renameCollection: words('collectionUUID dropTarget stayTemp to'),
  replSetGetStatus: words('initialSync'),
  saslContinue: words('conversationId payload'),
  saslStart: words('autoAuthorize mechanism options payload'),
  startSession: [],
  update: words(`${WRITES} let runtimeConstants updates`),
  whatsmyuri: [],
};

/** Commands that take fields of any name, as those of the real server do. */
export const OPEN_COMMANDS = ['getParameter', 'hello', 'isMaster', 'serverStatus'];

/** The fields of one statement of a command that writes. */
export const STATEMENT_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  update:
    words(`arrayFilters c collation hint includeQueryStatsMetricsForOpIndex multi q sampleId sort u upsert upsertSupplied
    $_allowShardKeyUpdatesWithoutFullShardKeyInQuery`),
  delete: words('collation hint includeQueryStatsMetricsForOpIndex limit q sampleId'),
};

export const INDEX_OPTIONS =
  words(`2dsphereIndexVersion background bits bucketSize clustered coarsestIndexedLevel collation
  columnstoreCompressor columnstoreProjection default_language dropDups expireAfterSeconds finestIndexedLevel hidden key
  language_override max min name ns originalSpec partialFilterExpression prepareUnique sparse storageEngine textIndexVersion unique v
  weights wildcardProjection`);

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
