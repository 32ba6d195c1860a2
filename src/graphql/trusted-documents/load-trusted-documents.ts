import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { GraphQLError, parse, Source } from 'graphql';
import { OperatorError } from '../../errors/index.js';
import { assembleDocuments, type GraphqlFile } from './assemble-documents.js';
import { ManifestError, readManifest } from './read-manifest.js';
import { invalidDocuments, locate } from './start-errors.js';
import type { TrustedDocument } from './trusted-document.js';

/**
 * Loads the trusted documents in a folder: files of GraphQL and manifests in JSON, also in folders below. Other files,
 * and names that begin with a dot, are ignored.
 *
 * @throws OperatorError naming each file that cannot be read, and an empty folder
 */
export function loadTrustedDocuments(folder: string): TrustedDocument[] {
  const files = filesIn(folder);
  const problems: string[] = [];
  const load = <T>(extensions: RegExp, read: (text: string, file: string) => T): T[] =>
    files
      .filter((file) => extensions.test(file))
      .flatMap((file) => {
        try {
          return [read(readFileSync(join(folder, file), 'utf8'), join(folder, file))];
        } catch (error) {
          problems.push(describeProblem(error, join(folder, file)));
          return [];
        }
      });
  const documents = [
    ...assembleDocuments(load(/\.(graphql|gql)$/, readGraphql)),
    ...load(/\.json$/, readManifest).flat(),
  ];
  if (problems.length > 0) throw invalidDocuments(problems);
  if (documents.length === 0) throw new OperatorError('TRUSTED_DOCUMENTS names a folder that contains no document.');
  return documents;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => !file.split(sep).some((name) => name.startsWith('.')) && statSync(join(folder, file)).isFile())
      .sort();
  } catch {
    throw new OperatorError('TRUSTED_DOCUMENTS must name a folder that can be read.');
  }
}

function readGraphql(text: string, file: string): GraphqlFile {
  return { file, text, document: parse(new Source(text, file)) };
}

function describeProblem(error: unknown, file: string): string {
  if (error instanceof GraphQLError) return locate(error, file);
  if (error instanceof ManifestError) return `${file} ${error.message}`;
  return `${file} cannot be read`;
}
