import { type ColumnDefinitionNode, DataTypeNode, PostgresDialect, PostgresQueryCompiler, RawNode } from 'kysely';

/** The dialect for migrations. */
export class PostgresSchemaDialect extends PostgresDialect {
  override createQueryCompiler(): PostgresQueryCompiler {
    return new BytewiseTextCompiler();
  }
}

/**
 * Compares every text column by bytes. Both engines then sort in the same way, regardless of the locale of the database, and
 * an update of the operating system's collations cannot corrupt an index.
 */
class BytewiseTextCompiler extends PostgresQueryCompiler {
  protected override visitColumnDefinition(node: ColumnDefinitionNode): void {
    const { dataType } = node;
    const isText = DataTypeNode.is(dataType) && dataType.dataType === 'text';
    super.visitColumnDefinition(isText ? { ...node, dataType: RawNode.createWithSql('text collate "C"') } : node);
  }
}
