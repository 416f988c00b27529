/** The database has migrations that this version does not know. */
export class SchemaTooNew extends Error {
  constructor(steps: readonly string[]) {
    super(
      `The database is from a newer version of stakeport: this version does not know ${steps.join(', ')}. ` +
        'Start the newer version, or restore a backup from before the upgrade.',
    );
    this.name = 'SchemaTooNew';
  }
}
