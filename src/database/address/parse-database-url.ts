import { userInfo } from 'node:os';
import type { z } from 'zod';
import { OperatorError } from '../../errors/index.js';
import { isSocketFolder, type DatabaseTarget, type HostAddress, type TlsPolicy } from './database-target.js';
import { URL_PARAMETERS, type UrlParameters } from './url-parameters.js';

/** Says what is wrong with a URL, as the predicate of a sentence. Never contains a value, which may be a secret. */
class DatabaseUrlProblem extends Error {}

type UrlPart = 'user' | 'password' | 'hosts' | 'database' | 'query';

/** URL of libpq: several hosts are separated by commas, and each may have a port. */
const URL_FORM = new RegExp(
  String.raw`^postgres(?:ql)?://(?:(?<user>[^:/?]*)(?::(?<password>[^/?]*))?@)?` +
    String.raw`(?<hosts>[^/?]*)(?:/(?<database>[^?]*))?(?:\?(?<query>.*))?$`,
  's',
);
/** An IPv6 address stands in brackets. */
const HOST_FORM = /^(?<host>\[[^\]]*\]|[^:]*)(?::(?<port>\d*))?$/;
const DEFAULT_PORT = '5432';
const MAX_PORT = 65_535;
/** Anything else may be the rest of a password that contains a question mark. */
const PARAMETER_NAME = /^[a-z_]{1,40}$/i;

/** @throws OperatorError that says what is wrong */
export function parseDatabaseUrl(url: string): DatabaseTarget {
  try {
    return parse(url);
  } catch (error) {
    if (error instanceof DatabaseUrlProblem) throw new OperatorError(`The URL of the database ${error.message}.`);
    throw error;
  }
}

/** @returns what is wrong, as the predicate of a sentence without a full stop; null for a URL that is understood */
export function findUrlProblem(url: string): string | null {
  try {
    parse(url);
    return null;
  } catch (error) {
    if (error instanceof DatabaseUrlProblem) return error.message;
    throw error;
  }
}

function parse(url: string): DatabaseTarget {
  const parts = URL_FORM.exec(url)?.groups as Partial<Record<UrlPart, string>> | undefined;
  if (parts === undefined) throw new DatabaseUrlProblem('must be a URL that begins with postgres:// or postgresql://');
  const parameters = parseParameters(parts.query ?? '');
  const user = parameters.user ?? decoded(parts.user) ?? userInfo().username;
  const hosts = parseHosts(parts.hosts ?? '', parameters);
  return {
    hosts,
    user,
    password: parameters.password ?? decoded(parts.password),
    database: parameters.dbname ?? decoded(parts.database) ?? user,
    tls: parseTls(parameters, hosts),
    channelBinding: parameters.channel_binding ?? 'disable',
    options: parameters.options ?? '',
    applicationName: parameters.application_name ?? 'convene',
    connectTimeoutMs: parseTimeout(parameters.connect_timeout),
    sessionAttributes: parameters.target_session_attrs ?? 'any',
  };
}

/** @returns null when it is empty, which means the default */
function decoded(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  return decode(text);
}

function decode(text: string): string {
  try {
    const result = decodeURIComponent(text);
    if (!result.includes('\0')) return result;
  } catch {
    // The problem below names both causes.
  }
  throw new DatabaseUrlProblem('has a percent sign that does not begin an encoded character; write it as %25');
}

function parseParameters(query: string): UrlParameters {
  const pairs = query.split('&').filter((pair) => pair !== '');
  const parsed = URL_PARAMETERS.safeParse(Object.fromEntries(pairs.map(parsePair)));
  if (parsed.success) return parsed.data;
  throw new DatabaseUrlProblem(describeIssue(parsed.error.issues[0]));
}

function parsePair(pair: string): [string, string] {
  const [name = '', ...value] = pair.split('=');
  return [decode(name), decode(value.join('='))];
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code !== 'unrecognized_keys') return `has a parameter ${String(issue?.path[0])} that ${issue?.message}`;
  const [name = ''] = issue.keys;
  const known = Object.keys(URL_PARAMETERS.shape).join(', ');
  return PARAMETER_NAME.test(name)
    ? `has the parameter ${name}, which is not supported; the supported ones are ${known}`
    : 'has a question mark that does not begin parameters; write it as %3F';
}

/** The parameters replace the hosts and ports before the question mark. */
function parseHosts(authority: string, parameters: UrlParameters): HostAddress[] {
  const entries = authority.split(',').map(parseHost);
  const names = parameters.host?.split(',') ?? entries.map(({ host }) => host);
  const ports = parameters.port?.split(',') ?? entries.map(({ port }) => port);
  if (ports.length !== 1 && ports.length !== names.length)
    throw new DatabaseUrlProblem('must have one port, or one for each host');
  return names.map((host, index) => hostAddress(host, ports[index] ?? ports[0] ?? ''));
}

function parseHost(entry: string): { host: string; port: string } {
  const { host, port = '' } = HOST_FORM.exec(entry)?.groups ?? {};
  if (host === undefined) throw new DatabaseUrlProblem('has a host that is none; an IPv6 address stands in brackets');
  return { host: decode(host.replace(/^\[|\]$/g, '')), port };
}

function hostAddress(host: string, port: string): HostAddress {
  if (host === '') throw new DatabaseUrlProblem('names no host; a socket is named as in ?host=/var/run/postgresql');
  const number = Number(port || DEFAULT_PORT);
  if (!Number.isInteger(number) || number < 1 || number > MAX_PORT)
    throw new DatabaseUrlProblem(`has a port that is no number from 1 to ${MAX_PORT}`);
  return { host, port: number };
}

/** Without `sslmode`, TLS is used when the server offers it, unverified. */
function parseTls(parameters: UrlParameters, hosts: readonly HostAddress[]): TlsPolicy {
  const { sslrootcert, sslcert, sslkey, sslpassword } = parameters;
  const mode = parameters.sslmode ?? (parameters.ssl === undefined ? 'prefer' : 'require');
  if (mode === 'verify-ca' && sslrootcert === undefined)
    throw new DatabaseUrlProblem('has sslmode=verify-ca without sslrootcert, the file of the trusted certificates');
  if (sslrootcert === 'system' && mode !== 'verify-full')
    throw new DatabaseUrlProblem('has sslrootcert=system, which requires sslmode=verify-full');
  if ((sslcert === undefined) !== (sslkey === undefined))
    throw new DatabaseUrlProblem('must have both sslcert and sslkey, or neither');
  return {
    mode: hosts.every(({ host }) => isSocketFolder(host)) ? 'disable' : mode,
    rootCertificateFile: sslrootcert ?? null,
    certificateFile: sslcert ?? null,
    keyFile: sslkey ?? null,
    keyPassphrase: sslpassword ?? null,
  };
}

/** In libpq, 0 means to wait without limit, for which there is the default here. */
function parseTimeout(seconds: string | undefined): number | null {
  return seconds === undefined || Number(seconds) === 0 ? null : Number(seconds) * 1_000;
}
