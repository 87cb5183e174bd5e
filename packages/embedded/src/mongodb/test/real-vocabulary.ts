/** Stages, operators and accumulators of MongoDB 7.0 and 8.0. */
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

export const STAGES =
  words(`$addFields $bucket $bucketAuto $changeStream $changeStreamSplitLargeEvent $collStats $count $currentOp
  $densify $documents $facet $fill $geoNear $graphLookup $group $indexStats $limit $listLocalSessions $listSampledQueries
  $listSearchIndexes $listSessions $lookup $match $merge $out $planCacheStats $project $queryStats $querySettings $redact $replaceRoot
  $replaceWith $sample $search $searchMeta $set $setWindowFields $shardedDataDistribution $skip $sort $sortByCount $unionWith $unset
  $unwind $vectorSearch`);

export const ACCUMULATORS =
  words(`$accumulator $addToSet $avg $bottom $bottomN $count $first $firstN $last $lastN $max $maxN $median
  $mergeObjects $min $minN $percentile $push $stdDevPop $stdDevSamp $sum $top $topN`);

/** Some of each kind of expression. */
export const EXPRESSIONS =
  words(`$abs $accumulator $add $allElementsTrue $and $anyElementTrue $arrayElemAt $arrayToObject $avg $bitAnd
  $ceil $cmp $concat $concatArrays $cond $convert $dateAdd $dateFromString $dateToString $divide $eq $exp $filter $first $floor
  $function $getField $gt $gte $ifNull $in $indexOfArray $isArray $isNumber $last $let $literal $lt $lte $ltrim $map $max $mergeObjects
  $meta $min $mod $multiply $ne $not $objectToArray $or $pow $rand $range $reduce $regexFind $regexMatch $replaceAll $reverseArray
  $round $setField $setUnion $size $slice $sortArray $split $sqrt $strLenCP $subtract $substr $sum $switch $toBool $toDate $toInt
  $toLower $toObjectId $toString $toUpper $trim $trunc $type $unsetField $year $zip`);

/** Operators beside fields, at the top of a filter. */
export const TOP_OPERATORS = words(
  '$alwaysFalse $alwaysTrue $and $comment $expr $jsonSchema $nor $or $sampleRate $text $where',
);

/** Operators of one field of a filter. */
export const FIELD_OPERATORS =
  words(`$all $bitsAllClear $bitsAllSet $bitsAnyClear $bitsAnySet $elemMatch $eq $exists $geoIntersects
  $geoWithin $gt $gte $in $lt $lte $maxDistance $minDistance $mod $ne $near $nearSphere $nin $not $regex $size $type $within`);

export const UPDATE_OPERATORS =
  words(`$addToSet $bit $currentDate $inc $max $min $mul $pop $pull $pullAll $push $rename $set
  $setOnInsert $unset`);
