-- Whether a text is a JSON object, written without white space as this engine writes it.
create macro is_json_object(content) as content[1] = '{' and try(json(content)) is not distinct from content;
-- One number for all documents with the same keys in the same order, in their upper levels.
create macro json_shape(content) as hash(try(json_keys(content, ['$', '$.inputs'])), try(json_keys(content, '$.inputs.*')));
-- Whether keys in those levels are not in order, or there twice.
create macro has_unsorted_keys(content) as
  list_bool_or(list_transform(
    list_concat(json_keys(content, ['$', '$.inputs']), json_keys(content, '$.inputs.*')),
    lambda list: len(list_filter(list, lambda name, nth: name <= list[nth - 1])) > 0
  ));
