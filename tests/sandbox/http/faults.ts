// Fault rules for tests (a real SiYuan has none): which request goes wrong, how, and how often.

export const faultKinds = [
  "lost-answer",
  "no-effect",
  "http-500",
  "code-1",
  "delay",
  "hang",
  "absent",
  "null-data",
] as const;

/**
 * lost-answer: executed, the connection is cut. no-effect: answers as if written. http-500, code-1: refused, not executed.
 * delay: executed after delayMs. hang: never executed, never answered. absent: as an unknown route.
 * null-data: executed, answered with data null.
 */
export type FaultKind = (typeof faultKinds)[number];

export interface FaultRule {
  path: string;
  kind: FaultKind;
  /** How many requests the rule hits; every one when absent. */
  times?: number;
  delayMs?: number;
  /** Only requests whose body contains this text. */
  match?: string;
}

export class FaultRules {
  #rules: FaultRule[] = [];

  replace(rules: readonly FaultRule[]): void {
    for (const rule of rules) {
      if (!faultKinds.includes(rule.kind)) throw new Error(`unknown fault kind ${JSON.stringify(rule.kind)}`);
    }
    this.#rules = rules.map((rule) => ({ ...rule }));
  }

  /** The rule for a request, counted as used. */
  take(path: string, body: string): FaultRule | undefined {
    const rule = this.#rules.find(
      (candidate) =>
        candidate.path === path &&
        (candidate.times ?? 1) > 0 &&
        (candidate.match === undefined || body.includes(candidate.match)),
    );
    if (rule?.times !== undefined) rule.times--;
    return rule;
  }
}
