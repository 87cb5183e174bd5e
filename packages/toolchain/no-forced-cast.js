const message = 'A forced cast hides what the types say: narrow, parse, or give the source the right type.';

/**
 * Casts that no type stands in the way of: `as unknown as T` and `as never`. A rule of its own, so that the lists of what
 * is left count these alone.
 */
export const noForcedCast = {
  meta: { type: 'problem', schema: [], messages: { forced: message } },
  create: (context) => {
    const report = (node) => context.report({ node, messageId: 'forced' });
    return {
      'TSAsExpression > TSAsExpression[typeAnnotation.type="TSUnknownKeyword"]': report,
      'TSAsExpression[typeAnnotation.type="TSNeverKeyword"]': report,
      'TSAsExpression > TSArrayType > TSNeverKeyword': report,
    };
  },
};
