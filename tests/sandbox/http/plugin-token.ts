// The signed token a plugin sends as X-Auth-Token. The signing key changes once, one second after listening:
// tokens minted before that are dead from then on (a defect of SiYuan up to 3.7.3).
import { createHmac, randomBytes } from "node:crypto";

export class PluginTokens {
  #key = randomBytes(32);

  rotateKey(): void {
    this.#key = randomBytes(32);
  }

  mint(plugin: string): string {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = { iss: "siyuan-kernel", sub: plugin, aud: "siyuan-kernel-plugin", role: 0 };
    const body = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
    return `${body}.${this.#sign(body)}`;
  }

  isValid(token: string): boolean {
    const end = token.lastIndexOf(".");
    return end > 0 && this.#sign(token.slice(0, end)) === token.slice(end + 1);
  }

  #sign(body: string): string {
    return createHmac("sha256", this.#key).update(body).digest("base64url");
  }
}
