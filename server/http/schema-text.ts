interface Schema {
  [key: string]: unknown;
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);
const schemasIn = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

/** A JSON schema as one would write the shape down: `{ name: text, hours: 1 to 24 }`. */
export function schemaText(schema: unknown, indent = ''): string {
  if (!isSchema(schema)) return 'anything';
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1) ?? 'anything';
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = [...schemasIn(schema.anyOf), ...schemasIn(schema.oneOf)];
  if (choices.length > 0) return [...new Set(choices.map((choice) => schemaText(choice, indent)))].join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => schemaText({ ...schema, type }, indent)).join(' | ');
  switch (schema.type) {
    case 'object':
      return objectText(schema, indent);
    case 'array':
      return `list of ${schemaText(schema.items, indent)}`;
    case 'integer':
      return numberText('whole number', schema);
    case 'number':
      return numberText('number', schema);
    case 'string':
      return stringText(schema);
    case 'boolean':
    case 'null':
      return schema.type;
    default:
      return 'anything';
  }
}

function objectText({ properties, required, additionalProperties }: Schema, indent: string): string {
  const needed: unknown[] = Array.isArray(required) ? required : [];
  const inner = `${indent}  `;
  const lines = Object.entries(isSchema(properties) ? properties : {}).map(
    ([name, each]) => `${inner}${name}${needed.includes(name) ? '' : '?'}: ${schemaText(each, inner)}`,
  );
  if (isSchema(additionalProperties) && Object.keys(additionalProperties).length > 0) {
    lines.push(`${inner}[any name]: ${schemaText(additionalProperties, inner)}`);
  }
  return lines.length > 0 ? `{\n${lines.join('\n')}\n${indent}}` : '{}';
}

/** Bounds that say nothing but how far a number can be counted are left out. */
function numberText(what: string, { minimum, maximum, exclusiveMinimum, default: usual }: Schema): string {
  const low = typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER ? minimum : null;
  const high = typeof maximum === 'number' && maximum < 2 ** 31 - 1 ? maximum : null;
  const range =
    low !== null && high !== null ? `, ${low} to ${high}` : low !== null ? `, from ${low}` : high !== null ? `, to ${high}` : '';
  // A default that no number may have only marks what is missing.
  const isMark =
    typeof usual === 'number' && (usual < (low ?? usual) || usual <= (typeof exclusiveMinimum === 'number' ? exclusiveMinimum : usual - 1));
  return what + range + (isMark ? '' : defaultText(usual));
}

function stringText({ format, pattern, minLength, maxLength, default: usual }: Schema): string {
  const kind = typeof format === 'string' ? (format === 'binary' ? 'file' : format) : 'text';
  const shape = kind === 'text' && typeof pattern === 'string' ? ` like /${pattern}/` : '';
  const least = typeof minLength === 'number' && minLength > 0 ? `, at least ${minLength} long` : '';
  const most = typeof maxLength === 'number' ? `, at most ${maxLength} long` : '';
  return kind + shape + least + most + defaultText(usual);
}

const defaultText = (usual: unknown): string => (usual === undefined ? '' : `, else ${JSON.stringify(usual)}`);
