// Seeds that once broke an invariant, with the invariant and the cause. They run in every test.

export const regressionSeeds: readonly { readonly seed: number; readonly found: string }[] = [];
