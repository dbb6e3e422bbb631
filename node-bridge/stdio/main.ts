// Entry of siyuan-sisyphus-mcp: the relay between an MCP client on stdio and the coordinator inside SiYuan.

import { exitCodes, SisyphusError } from "../../shared/errors.js";
import { defaultApiUrl, parseApiUrl } from "../coordinator/address.js";
import { version } from "../version.js";

const help = `siyuan-sisyphus-mcp: an MCP server on stdio for SiYuan with the plugin Sisyphus

It takes no arguments. Environment:
  SIYUAN_API_URL   address of SiYuan, default ${defaultApiUrl}
  SIYUAN_TOKEN     API token of SiYuan (Settings, About); needed when SiYuan has an access code

Options:
  --version, -v    print the version
  --help, -h       print this text

Add it to an MCP client as a command, for example:
  {"mcpServers": {"siyuan": {"command": "siyuan-sisyphus-mcp", "env": {"SIYUAN_TOKEN": "..."}}}}
`;

const args = process.argv.slice(2);
const [first] = args;
if (first === "--version" || first === "-v") {
  process.stdout.write(`${version}\n`);
} else if (first === "--help" || first === "-h") {
  process.stdout.write(help);
} else if (first !== undefined) {
  process.stderr.write(`siyuan-sisyphus-mcp: unknown argument ${first}\n\n${help}`);
  process.exitCode = exitCodes.usage;
} else {
  await start();
}

async function start(): Promise<void> {
  try {
    const address = parseApiUrl(process.env.SIYUAN_API_URL || defaultApiUrl, "SIYUAN_API_URL");
    const token = process.env.SIYUAN_TOKEN?.trim() || undefined;
    // Loaded only now: --version and --help need none of the protocol code.
    const { serveRelay } = await import("./relay.js");
    serveRelay({ address, ...(token !== undefined && { token }) });
  } catch (error) {
    if (!(error instanceof SisyphusError)) throw error;
    process.stderr.write(`siyuan-sisyphus-mcp: ${error.message}\n${error.details.hint ?? ""}\n`);
    process.exitCode = exitCodes.usage;
  }
}
