// Names of flags: how a field is spelled on the command line.

/** Flags that every command has; a field of the same name is reached as --arg-<name>. */
export const globalFlagNames = ["config", "profile", "url", "token", "json", "debug", "help"] as const;
const ownFlagNames: readonly string[] = [...globalFlagNames, "version", "dry-run", "validate-only", "request-id"];

/** `parentID` → `parent-id`, `replace_all` → `replace-all`, `fromIDs` → `from-ids`. */
export function kebab(name: string): string {
  return name
    .replace(/IDs\b/g, "Ids")
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2")
    .replace(/_/g, "-")
    .toLowerCase();
}

/** The flag of a field, without dashes. */
export function flagName(field: string): string {
  const name = kebab(field);
  return ownFlagNames.includes(name) ? `arg-${name}` : name;
}

/** Every accepted spelling of a kebab-case flag; the first one is shown. */
export function spellings(flag: string, field?: string): readonly string[] {
  const camel = flag.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  const own = field !== undefined && flagName(field) === kebab(field) ? [field] : [];
  return [...new Set([flag, camel, flag.replace(/-/g, "_"), ...own])];
}
