// The cookie jar of the plugins' HTTP client: one for the whole process, it outlives plugin reloads.

export class CookieJar {
  readonly #cookies = new Map<string, { value: string; path: string }>();

  store(lines: readonly string[]): void {
    for (const line of lines) {
      const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
      const equals = pair.indexOf("=");
      if (equals < 0) continue;
      const find = (name: string) =>
        attributes.find((attribute) => attribute.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);
      const path = find("path") ?? "/";
      const key = `${pair.slice(0, equals)} ${path}`;
      const age = find("max-age");
      if (age !== undefined && Number(age) <= 0) this.#cookies.delete(key);
      else this.#cookies.set(key, { value: pair, path });
    }
  }

  header(path: string): string {
    const matching = [...this.#cookies.values()].filter(
      (cookie) => cookie.path === "/" || path.startsWith(cookie.path),
    );
    return matching.map((cookie) => cookie.value).join("; ");
  }
}
